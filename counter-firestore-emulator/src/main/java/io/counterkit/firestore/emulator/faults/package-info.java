/**
 * Faults between Firestore's client and an emulator, for tests: calls fail, lose their reply or are held back. Start at
 * {@link io.counterkit.firestore.emulator.faults.FirestoreFaults}.
 */
@NullMarked
package io.counterkit.firestore.emulator.faults;

import org.jspecify.annotations.NullMarked;
