/**
 * Combines waiting requests into batches, for every backend alike, and gives requests up at their deadlines. Start at
 * {@link io.counterkit.internal.batch.Combiner}; its {@link io.counterkit.internal.batch.RequestQueue}s decide when a
 * batch is sent.
 */
@NullMarked
package io.counterkit.internal.batch;

import org.jspecify.annotations.NullMarked;
