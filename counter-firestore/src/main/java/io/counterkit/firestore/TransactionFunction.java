package io.counterkit.firestore;

/**
 * The function that {@link FirestoreCounterBackend#transact} runs. It may run several times; its changes are applied
 * once.
 */
@FunctionalInterface
public interface TransactionFunction {
    /**
     * Reads and writes documents, adds and appends. It runs on its own thread, which it may block. If it throws,
     * nothing is applied.
     */
    void run(FirestoreTransaction transaction) throws Exception;
}
