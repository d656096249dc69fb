/**
 * Calls Firestore: where documents are, what errors mean for an outcome, and how a request whose reply is lost is
 * retried. Start at {@link io.counterkit.firestore.internal.client.RetryingClient}; {@link
 * io.counterkit.firestore.internal.client.FirestoreSchema} is the stored layout.
 */
@NullMarked
package io.counterkit.firestore.internal.client;

import org.jspecify.annotations.NullMarked;
