/**
 * What the layers above a number in memory cost. Start at {@link io.counterkit.benchmarks.CompareAdds} for time and at
 * {@link io.counterkit.benchmarks.IdleCounters} for memory; each is a main class that repeats its numbers.
 */
@NullMarked
package io.counterkit.benchmarks;

import org.jspecify.annotations.NullMarked;
