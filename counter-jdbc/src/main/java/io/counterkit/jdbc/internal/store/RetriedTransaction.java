package io.counterkit.jdbc.internal.store;

import io.counterkit.ContentionException;
import io.counterkit.CounterException;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.TokenRefusedException;
import io.counterkit.TransactionResult;
import io.counterkit.jdbc.TransactionFunction;
import io.counterkit.jdbc.internal.sql.StoreFailure;
import io.counterkit.jdbc.internal.sql.Transactions;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.BlockingCalls.Failure;
import io.counterkit.spi.Call;
import io.counterkit.spi.Reasons;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A transaction of the application that the backend begins, commits durably and retries. Each attempt stores the same
 * token first. If the reply to a commit is lost, the next attempt waits for that commit, and finds the token if it was
 * applied.
 */
public final class RetriedTransaction {
    private static final Duration TIME = Duration.ofSeconds(20);

    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(5), Duration.ofMillis(500));

    private final Database database;
    private final Transactions transactions;
    private final IdempotencyToken token;
    private final TransactionFunction function;
    private boolean isInDoubt;

    public RetriedTransaction(
            Database database, Transactions transactions, IdempotencyToken token, TransactionFunction function) {
        this.database = database;
        this.transactions = transactions;
        this.token = token;
        this.function = function;
    }

    /** Runs the transaction until it is committed or refused, or its time has passed. */
    public TransactionResult run() {
        long end = System.nanoTime() + TIME.toNanos();
        for (int failed = 1; ; failed++) {
            try {
                return attempt();
            } catch (StoreFailure e) {
                isInDoubt |= e.outcome() == Failure.UNKNOWN;
                long pause = BACKOFF.nanos(failed, ThreadLocalRandom.current());
                if (e.outcome() == Failure.PERMANENT
                        || System.nanoTime() + pause - end >= 0
                        || Thread.currentThread().isInterrupted()) {
                    throw failure(e);
                }
                LockSupport.parkNanos(pause);
            } catch (TokenRefusedException e) {
                throw e; // the outcome is known
            } catch (RuntimeException e) {
                throw isInDoubt ? mayBeApplied(e) : e;
            }
        }
    }

    private OutcomeUnknownException mayBeApplied(Exception e) {
        return new OutcomeUnknownException(
                "the transaction may have been applied: " + Reasons.of(e) + "; send it again with token " + token
                        + ", or resolve it",
                token,
                e);
    }

    private CounterException failure(StoreFailure e) {
        if (isInDoubt) {
            return mayBeApplied(e);
        }
        String message = "the transaction failed: " + Reasons.of(e);
        return e.isConflict() ? new ContentionException(message, e) : new NotAppliedException(message, e);
    }

    private TransactionResult attempt() throws StoreFailure {
        try (BorrowedConnection borrowed = BorrowedConnection.of(transactions)) {
            TransactionResult result;
            try {
                if (!database.hasOneWriter()) {
                    borrowed.limitNetworkTime();
                }
                borrowed.begin();
                result = work(borrowed.connection());
                if (!result.isRepeated()) {
                    transactions.commit(borrowed.connection());
                }
            } catch (Throwable e) {
                borrowed.rollBackAfter(e);
                throw e;
            }
            borrowed.restore(result.isRepeated());
            return result;
        } catch (SQLException e) { // of the connection, before anything was sent
            throw transactions.failure(e);
        }
    }

    private TransactionResult work(Connection connection) throws StoreFailure {
        CallersTransaction tx = join(connection);
        isInDoubt = false; // an earlier attempt has ended, since its token was waited for
        if (tx.isRepeated()) {
            return new TransactionResult(tx.numbers(), true);
        }
        try {
            function.run(tx);
            if (!transactions.tryUnmark(connection)) {
                throw CallersTransaction.ended();
            }
            return new TransactionResult(tx.appended(), false);
        } catch (SQLException e) {
            StoreFailure failure = transactions.failure(e);
            if (failure.outcome() == Failure.PERMANENT) { // of the application's own statement
                throw new NotAppliedException("the transaction failed: " + Reasons.of(e), e);
            }
            throw failure;
        } catch (NotAppliedException e) {
            if (tx.hasThrown(e)) {
                throwFailureOf(e, connection);
            }
            throw e; // perhaps of another call of the application
        }
    }

    private CallersTransaction join(Connection connection) throws StoreFailure {
        try {
            return CallersTransaction.begin(database, FunctionConnection.of(connection), token);
        } catch (NotAppliedException e) {
            throwFailureOf(e, connection);
            throw e;
        }
    }

    /** Throws the failure of a call of the transaction. A permanent one may show that the function has committed. */
    private void throwFailureOf(NotAppliedException e, Connection connection) throws StoreFailure {
        if (e.getCause() instanceof StoreFailure failure) {
            if (failure.outcome() == Failure.PERMANENT && !transactions.tryUnmark(connection) && mayBeStored()) {
                throw CallersTransaction.ended();
            }
            throw failure;
        }
    }

    private boolean mayBeStored() {
        try {
            return database.query(
                    new Call(TIME, CountersListener.disabled()),
                    session -> database.tokens().find(session, token.value()) != null);
        } catch (Exception e) {
            return true; // the token cannot be read
        }
    }
}
