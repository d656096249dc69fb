package io.counterkit.datastore.cloud.internal.client;

import com.google.cloud.datastore.Transaction;
import io.counterkit.datastore.internal.store.StoreTransaction;

/** A transaction of Google's client. */
public record CloudTransaction(Transaction transaction) implements StoreTransaction {
    /** Returns the client's own transaction. */
    public static Transaction of(StoreTransaction transaction) {
        return ((CloudTransaction) transaction).transaction();
    }
}
