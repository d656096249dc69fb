/**
 * Reads counters: sums, roll-ups, the largest counters, and watches. Start at {@link
 * io.counterkit.firestore.internal.read.CounterReads}.
 */
@NullMarked
package io.counterkit.firestore.internal.read;

import org.jspecify.annotations.NullMarked;
