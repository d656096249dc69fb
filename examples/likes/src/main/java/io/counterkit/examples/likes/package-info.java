/**
 * An example application: likes and orders in the browser, on any backend. Start at
 * {@link io.counterkit.examples.likes.Main}; only {@link io.counterkit.examples.likes.StoreChoice} knows the backends.
 */
@NullMarked
package io.counterkit.examples.likes;

import org.jspecify.annotations.NullMarked;
