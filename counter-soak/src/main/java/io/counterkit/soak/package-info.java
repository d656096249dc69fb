/**
 * Soaks a backend: changes counters and sequences while faults are injected, and then checks every name. Start at
 * {@link io.counterkit.soak.Soak}.
 */
@NullMarked
package io.counterkit.soak;

import org.jspecify.annotations.NullMarked;
