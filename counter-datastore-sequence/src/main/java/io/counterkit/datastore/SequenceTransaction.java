package io.counterkit.datastore;

import com.google.appengine.api.datastore.Transaction;
import io.counterkit.CounterTransaction;

/**
 * A transaction of the application with appends and adds in it, see {@link DatastoreSequenceBackend#transact}. Only the
 * thread that it was passed to may use it, until the function returns.
 */
public interface SequenceTransaction extends CounterTransaction {
    /** Returns the transaction to pass to each call for the application's own entities; up to 25 entity groups. */
    Transaction transaction();
}
