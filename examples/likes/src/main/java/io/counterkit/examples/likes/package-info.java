/**
 * An application that uses CounterKit: likes and orders in the browser, on any backend. Start at
 * {@link io.counterkit.examples.likes.Main}; {@link io.counterkit.examples.likes.StoreChoice} is the only place that knows
 * the backends.
 */
@NullMarked
package io.counterkit.examples.likes;

import org.jspecify.annotations.NullMarked;
