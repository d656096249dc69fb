/**
 * The interfaces that a backend implements, and tools that backends share. Start at {@link
 * io.counterkit.spi.CounterBackend}. The API layer checks names, deltas, fields and tokens, and combines requests into
 * batches, before it calls a backend.
 */
@NullMarked
package io.counterkit.spi;

import org.jspecify.annotations.NullMarked;
