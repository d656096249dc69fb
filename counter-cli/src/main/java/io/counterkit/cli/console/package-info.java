/**
 * Reads arguments, and prints results, progress and failures. Start at {@link io.counterkit.cli.console.Console} and
 * {@link io.counterkit.cli.console.Failures}.
 */
@NullMarked
package io.counterkit.cli.console;

import org.jspecify.annotations.NullMarked;
