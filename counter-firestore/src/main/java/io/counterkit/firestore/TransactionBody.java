package io.counterkit.firestore;

/** What {@link FirestoreCounterBackend#transact} runs. It may run several times, and is applied once. */
@FunctionalInterface
public interface TransactionBody {
    /**
     * Reads, adds, appends, and writes documents. It runs on a thread of the client's, which it may block. Anything it
     * throws ends the transaction without a trace.
     */
    void run(CounterTransaction transaction) throws Exception;
}
