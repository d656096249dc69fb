/**
 * Benchmarks of Firestore on the emulator, compared with the published recipe. Start at
 * {@link io.counterkit.benchmarks.firestore.CompareFirestore}.
 */
@NullMarked
package io.counterkit.benchmarks.firestore;

import org.jspecify.annotations.NullMarked;
