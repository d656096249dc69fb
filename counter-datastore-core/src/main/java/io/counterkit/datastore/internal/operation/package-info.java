/**
 * The operations of the backend on counters, sequences, tokens, transactions of the application, and migrations. Start
 * at {@link io.counterkit.datastore.internal.operation.DatastoreCounters}.
 */
@NullMarked
package io.counterkit.datastore.internal.operation;

import org.jspecify.annotations.NullMarked;
