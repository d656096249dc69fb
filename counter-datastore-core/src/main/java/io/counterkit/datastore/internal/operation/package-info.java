/**
 * The operations of the backend on counters, sequences, tokens, transactions of the application, and names that are moved.
 * Start at {@link io.counterkit.datastore.internal.operation.DatastoreCounters}.
 */
@NullMarked
package io.counterkit.datastore.internal.operation;

import org.jspecify.annotations.NullMarked;
