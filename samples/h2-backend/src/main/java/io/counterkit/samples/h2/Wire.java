package io.counterkit.samples.h2;

import java.util.concurrent.Callable;

/** Passes transactions to the database. The wire of a test makes some of them fail. */
interface Wire {
    /** Runs each transaction immediately. */
    Wire DIRECT = new Wire() {
        @Override
        public <T> T call(Callable<T> transaction) throws Exception {
            return transaction.call();
        }
    };

    /** Runs one transaction, from its begin to its commit. */
    <T> T call(Callable<T> transaction) throws Exception;
}
