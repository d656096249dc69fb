/**
 * The commands that make one call: {@code counter add}, {@code get}, {@code append} and so on, each a method. Start at
 * {@link io.counterkit.cli.single.SingleCall}, which runs them.
 */
@NullMarked
package io.counterkit.cli.single;

import org.jspecify.annotations.NullMarked;
