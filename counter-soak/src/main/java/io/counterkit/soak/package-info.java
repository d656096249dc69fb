/**
 * Soaks a backend: workers change counters and sequences while faults are injected, and then every name is checked.
 * Start at {@link io.counterkit.soak.Soak}; {@code CounterLedger} and {@code SequenceLedger} hold the checks.
 */
@NullMarked
package io.counterkit.soak;

import org.jspecify.annotations.NullMarked;
