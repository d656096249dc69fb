/**
 * Calls Firestore: where documents are, what errors mean for an outcome, and how a commit whose reply is lost is
 * retried. Start at {@link io.counterkit.firestore.internal.client.CommitRetrier}; {@link
 * io.counterkit.firestore.internal.client.FirestoreErrors} maps each error.
 */
@NullMarked
package io.counterkit.firestore.internal.client;

import org.jspecify.annotations.NullMarked;
