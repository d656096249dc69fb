package io.counterkit.datastore.cloud;

/** The work of an application in one transaction. It runs again from the start when the transaction is retried. */
@FunctionalInterface
public interface TransactionFunction {
    /**
     * Reads and writes the application's own entities in {@code tx.transaction()}, and appends and adds through
     * {@code tx}. Must have no other effects, since it may run several times and only the last run is committed.
     */
    void run(DatastoreTransaction tx);
}
