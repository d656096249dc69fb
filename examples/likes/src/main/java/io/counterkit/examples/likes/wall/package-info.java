/**
 * What the application does with counters and sequences, on any backend: these classes know CounterKit's API and nothing
 * below it. Start at {@link io.counterkit.examples.likes.wall.Likes} and
 * {@link io.counterkit.examples.likes.wall.Orders}.
 */
@NullMarked
package io.counterkit.examples.likes.wall;

import org.jspecify.annotations.NullMarked;
