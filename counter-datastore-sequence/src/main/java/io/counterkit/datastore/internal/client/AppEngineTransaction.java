package io.counterkit.datastore.internal.client;

import com.google.appengine.api.datastore.Transaction;
import io.counterkit.datastore.internal.store.StoreTransaction;

/** A transaction of App Engine's API. */
public record AppEngineTransaction(Transaction transaction) implements StoreTransaction {
    /** Returns the API's own transaction. */
    public static Transaction of(StoreTransaction transaction) {
        return ((AppEngineTransaction) transaction).transaction();
    }
}
