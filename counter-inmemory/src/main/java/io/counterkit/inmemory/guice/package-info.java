/** Binds the backend in memory for applications that use Guice. Start at the one module. */
@NullMarked
package io.counterkit.inmemory.guice;

import org.jspecify.annotations.NullMarked;
