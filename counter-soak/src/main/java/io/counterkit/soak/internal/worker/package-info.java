/**
 * The operations of a soak, and the ledgers of what they have applied. Start at {@link
 * io.counterkit.soak.internal.worker.SoakWorker}; {@code CounterLedger} and {@code SequenceLedger} hold the checks.
 */
@NullMarked
package io.counterkit.soak.internal.worker;

import org.jspecify.annotations.NullMarked;
