/**
 * Benchmarks of the in-memory backend; each is a main class that repeats its numbers. Start at
 * {@link io.counterkit.benchmarks.CompareAdds} for time and {@link io.counterkit.benchmarks.MemoryUse} for memory.
 */
@NullMarked
package io.counterkit.benchmarks;

import org.jspecify.annotations.NullMarked;
