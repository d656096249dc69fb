/**
 * Counters and sequences in memory, with faults that a test injects. Start at {@link
 * io.counterkit.inmemory.InMemoryBackend} to use them, at {@link io.counterkit.inmemory.InMemoryStore} to inspect them
 * or to inject faults, and at {@code internal.store} to read the contract as code.
 */
@NullMarked
package io.counterkit.inmemory;

import org.jspecify.annotations.NullMarked;
