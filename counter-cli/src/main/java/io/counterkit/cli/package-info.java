/** The command line. Start at {@link io.counterkit.cli.Main}; each command has a package of its own. */
@NullMarked
package io.counterkit.cli;

import org.jspecify.annotations.NullMarked;
