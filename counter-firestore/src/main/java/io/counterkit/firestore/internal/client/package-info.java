/**
 * Calls Firestore: defines the layout of documents, maps errors to outcomes, and retries requests whose reply is lost.
 * Start at {@link io.counterkit.firestore.internal.client.RetryingClient}; {@link
 * io.counterkit.firestore.internal.client.FirestoreSchema} is the stored layout.
 */
@NullMarked
package io.counterkit.firestore.internal.client;

import org.jspecify.annotations.NullMarked;
