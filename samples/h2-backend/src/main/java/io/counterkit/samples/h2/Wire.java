package io.counterkit.samples.h2;

import java.util.concurrent.Callable;

/** The way of each transaction to the database. */
interface Wire {
    /** Carries out each transaction at once. */
    Wire DIRECT = new Wire() {
        @Override
        public <T> T call(Callable<T> transaction) throws Exception {
            return transaction.call();
        }
    };

    /** Carries out one transaction, from its begin to its commit. */
    <T> T call(Callable<T> transaction) throws Exception;
}
