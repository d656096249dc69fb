/**
 * The likes and the order book, on any backend: these classes use CounterKit's API and two tools of its SPI. Start at
 * {@link io.counterkit.examples.likes.wall.Likes} and {@link io.counterkit.examples.likes.wall.Orders}.
 */
@NullMarked
package io.counterkit.examples.likes.wall;

import org.jspecify.annotations.NullMarked;
