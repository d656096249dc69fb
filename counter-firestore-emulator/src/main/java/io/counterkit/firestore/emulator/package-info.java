/**
 * A Firestore emulator for tests and for trying things out: the one that is running, or else one that is started and dies
 * with this JVM. Start at {@link io.counterkit.firestore.emulator.FirestoreEmulator}.
 */
@NullMarked
package io.counterkit.firestore.emulator;

import org.jspecify.annotations.NullMarked;
