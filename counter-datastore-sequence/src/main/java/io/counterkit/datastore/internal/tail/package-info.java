/**
 * Finds the tail of a chain, from a hint on, by reading numbers until the last one is enclosed. Start at {@link
 * io.counterkit.datastore.internal.tail.TailFinder}.
 */
@NullMarked
package io.counterkit.datastore.internal.tail;

import org.jspecify.annotations.NullMarked;
