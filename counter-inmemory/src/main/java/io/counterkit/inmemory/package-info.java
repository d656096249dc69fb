/**
 * Counters and sequences in memory, with faults that a test injects. Start at
 * {@link io.counterkit.inmemory.InMemoryBackend} to use them, at {@link io.counterkit.inmemory.InMemoryStore} to inspect or
 * disturb them, and at {@code internal.store} to read what the contract means.
 */
@NullMarked
package io.counterkit.inmemory;

import org.jspecify.annotations.NullMarked;
