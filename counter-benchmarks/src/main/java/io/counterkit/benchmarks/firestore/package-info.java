/** Firestore, on the emulator, against the published recipe. Start at {@link CompareFirestore}. */
@NullMarked
package io.counterkit.benchmarks.firestore;

import org.jspecify.annotations.NullMarked;
