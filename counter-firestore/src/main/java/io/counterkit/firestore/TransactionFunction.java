package io.counterkit.firestore;

/** What {@link FirestoreCounterBackend#transact} runs. It may run several times, and is applied once. */
@FunctionalInterface
public interface TransactionFunction {
    /**
     * Reads, adds, appends, and writes documents. It runs on a thread of its own, which it may block. Anything it throws
     * ends the transaction without a trace.
     */
    void run(CounterTransaction transaction) throws Exception;
}
