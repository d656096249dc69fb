/**
 * A Firestore emulator for tests: a running one, or one that is started and ends with this JVM. Start at {@link
 * io.counterkit.firestore.emulator.FirestoreEmulator}.
 */
@NullMarked
package io.counterkit.firestore.emulator;

import org.jspecify.annotations.NullMarked;
