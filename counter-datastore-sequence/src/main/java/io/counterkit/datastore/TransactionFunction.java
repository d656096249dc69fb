package io.counterkit.datastore;

/** What an application does in one transaction; run again from the start when the transaction has to be tried again. */
@FunctionalInterface
public interface TransactionFunction {
    /**
     * Reads and writes the application's own entities in {@code tx.transaction()}, appends and adds through {@code tx}.
     * Changes nothing else: it may run several times, and what all but the last did is undone.
     */
    void run(SequenceTransaction tx);
}
