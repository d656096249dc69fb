/**
 * How requests that wait become batches, for every backend alike. Not exported. Start at
 * {@link io.counterkit.combining.Combiner}; a {@link io.counterkit.combining.Waiter} is one caller's request from
 * acceptance to reply, and {@link io.counterkit.combining.Outstanding} knows all of them.
 */
@NullMarked
package io.counterkit.combining;

import org.jspecify.annotations.NullMarked;
