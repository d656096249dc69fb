/**
 * Finds, starts and ends an emulator, and connects to it. Start at {@link
 * io.counterkit.firestore.emulator.internal.process.EmulatorProcess}.
 */
@NullMarked
package io.counterkit.firestore.emulator.internal.process;

import org.jspecify.annotations.NullMarked;
