/**
 * Binds the backend in memory for applications that use Guice. Start at {@link
 * io.counterkit.inmemory.guice.InMemoryCounterModule}.
 */
@NullMarked
package io.counterkit.inmemory.guice;

import org.jspecify.annotations.NullMarked;
