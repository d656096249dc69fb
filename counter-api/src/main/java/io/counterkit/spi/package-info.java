/**
 * What a store has to offer to carry counters and sequences. Start at {@link io.counterkit.spi.CounterBackend}. Names,
 * deltas, fields and tokens arrive here already checked, and requests already combined into batches.
 */
@NullMarked
package io.counterkit.spi;

import org.jspecify.annotations.NullMarked;
