/**
 * What the algorithm needs of a Datastore, in types that belong to no client: entities, keys, queries, transactions and the
 * kinds of errors; and the loop that repeats an operation. Start at {@link
 * io.counterkit.datastore.internal.store.StoreClient}.
 */
@NullMarked
package io.counterkit.datastore.internal.store;

import org.jspecify.annotations.NullMarked;
