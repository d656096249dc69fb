/** The contract on each kind of a Datastore. Start at {@code StrongStoreContractTest}. */
@NullMarked
package io.counterkit.datastore.contract;

import org.jspecify.annotations.NullMarked;
