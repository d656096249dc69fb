/**
 * The interface between the algorithm and the clients, in types that are independent of a client: entities, keys,
 * queries, transactions and kinds of errors; and the loop that repeats an operation. Start at {@link
 * io.counterkit.datastore.internal.store.StoreClient}.
 */
@NullMarked
package io.counterkit.datastore.internal.store;

import org.jspecify.annotations.NullMarked;
