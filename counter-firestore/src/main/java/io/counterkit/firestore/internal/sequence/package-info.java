/**
 * Appends to sequences and reads them. Start at {@link io.counterkit.firestore.internal.sequence.FirestoreSequences};
 * {@link io.counterkit.firestore.internal.sequence.AppendCommit} is the path of an append.
 */
@NullMarked
package io.counterkit.firestore.internal.sequence;

import org.jspecify.annotations.NullMarked;
