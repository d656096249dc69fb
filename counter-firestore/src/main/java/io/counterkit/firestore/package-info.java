/**
 * The backend on Google Cloud Firestore, with its options. Start at {@link
 * io.counterkit.firestore.FirestoreCounterBackend}.
 */
@NullMarked
package io.counterkit.firestore;

import org.jspecify.annotations.NullMarked;
