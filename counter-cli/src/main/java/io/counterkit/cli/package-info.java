/** The command line. Start at {@link io.counterkit.cli.Main}; the commands are in packages of their own. */
@NullMarked
package io.counterkit.cli;

import org.jspecify.annotations.NullMarked;
