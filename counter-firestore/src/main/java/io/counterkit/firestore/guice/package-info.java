/**
 * The backend on Firestore for applications that use Guice. Start at {@link
 * io.counterkit.firestore.guice.FirestoreCounterModule}.
 */
@NullMarked
package io.counterkit.firestore.guice;

import org.jspecify.annotations.NullMarked;
