/**
 * Changes counters: adds, resets, deletes, creation and resharding. Start at {@link
 * io.counterkit.firestore.internal.counter.FirestoreCounters}; {@link
 * io.counterkit.firestore.internal.counter.AddCommit} is the path of an add.
 */
@NullMarked
package io.counterkit.firestore.internal.counter;

import org.jspecify.annotations.NullMarked;
