package io.counterkit.spring;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Knows whether the transaction of this thread was committed. Callbacks after the commit still find Spring's flags and the
 * connection of the transaction, but a pool may roll back what they change. Spring Boot adds this listener to its
 * transaction managers. Thread-safe.
 */
final class CommittedTransactions implements TransactionExecutionListener {
    /** Returns whether the transaction of this thread was committed, or its commit has failed. */
    boolean isCommitted() {
        return TransactionSynchronizationManager.hasResource(this);
    }

    /** Runs after all callbacks before the commit. A transaction within that of another manager has none of its own. */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        if (transaction instanceof DefaultTransactionStatus status && status.isNewSynchronization()) {
            Mark mark = new Mark();
            TransactionSynchronizationManager.registerSynchronization(mark);
            mark.resume();
        }
    }

    /** Is bound to the thread until the callbacks of the transaction end, except while it is suspended. */
    private final class Mark implements TransactionSynchronization {
        @Override
        public void suspend() {
            TransactionSynchronizationManager.unbindResource(CommittedTransactions.this);
        }

        @Override
        public void resume() {
            TransactionSynchronizationManager.bindResource(CommittedTransactions.this, this);
        }

        @Override
        public void afterCompletion(int status) {
            suspend();
        }
    }
}
