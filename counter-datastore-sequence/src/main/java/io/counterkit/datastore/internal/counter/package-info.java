/**
 * Counters as chains of changes whose newest entry carries the total. Start at {@link
 * io.counterkit.datastore.internal.counter.DatastoreCounters}.
 */
@NullMarked
package io.counterkit.datastore.internal.counter;

import org.jspecify.annotations.NullMarked;
