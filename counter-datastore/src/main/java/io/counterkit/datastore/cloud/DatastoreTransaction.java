package io.counterkit.datastore.cloud;

import com.google.cloud.datastore.Transaction;
import io.counterkit.CounterTransaction;

/**
 * A transaction of the application with appends and adds in it, see {@link DatastoreCounterBackend#transact}. Only the
 * thread that it was passed to may use it, until the function returns.
 */
public interface DatastoreTransaction extends CounterTransaction {
    /**
     * Returns the transaction for the application's own entities; up to 25 entity groups where the store limits them.
     * Its writes are sent after the function has returned. The function must neither commit it nor roll it back. Its
     * keys are in the backend's namespace unless they state another one: {@code newKeyFactory().setNamespace(…)}.
     */
    Transaction transaction();
}
