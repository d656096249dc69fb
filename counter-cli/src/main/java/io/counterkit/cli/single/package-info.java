/**
 * The commands that make one call: {@code counter add}, {@code get}, {@code append} and so on. Start at
 * {@link io.counterkit.cli.single.SingleCall}, which all of them have in common.
 */
@NullMarked
package io.counterkit.cli.single;

import org.jspecify.annotations.NullMarked;
