/**
 * Combines requests that wait into batches, for every backend alike, and ends requests at their deadline. Start at
 * {@link io.counterkit.internal.batch.Combiner}; a {@link io.counterkit.internal.batch.RequestQueue} decides when a
 * batch is sent.
 */
@NullMarked
package io.counterkit.internal.batch;

import org.jspecify.annotations.NullMarked;
