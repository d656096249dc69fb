/** What a command shows to people and to programs. Start at {@link io.counterkit.cli.console.Console}. */
@NullMarked
package io.counterkit.cli.console;

import org.jspecify.annotations.NullMarked;
