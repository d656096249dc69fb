/**
 * Counters and sequences in memory. Start at {@link io.counterkit.inmemory.InMemoryBackend} to use them, at
 * {@link io.counterkit.inmemory.InMemoryStore} to see and disturb what they hold, and at {@code CounterTable},
 * {@code Chain} and {@code TokenTable} to read what the contract means.
 */
@NullMarked
package io.counterkit.inmemory;

import org.jspecify.annotations.NullMarked;
