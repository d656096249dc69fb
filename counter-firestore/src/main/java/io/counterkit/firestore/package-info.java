/** The backend on Google Cloud Firestore. Start at {@link io.counterkit.firestore.FirestoreCounterBackend}. */
@NullMarked
package io.counterkit.firestore;

import org.jspecify.annotations.NullMarked;
