/**
 * Counters and sequences for applications. Start at {@link io.counterkit.Counters}, which is created once over a
 * backend, or injected, and returns each {@link io.counterkit.Counter} and {@link io.counterkit.Sequence} by name.
 */
@NullMarked
package io.counterkit;

import org.jspecify.annotations.NullMarked;
