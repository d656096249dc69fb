package io.counterkit.jdbc.internal.store;

import io.counterkit.ContentionException;
import io.counterkit.NotAppliedException;
import io.counterkit.jdbc.internal.sql.StoreFailure;
import io.counterkit.jdbc.internal.sql.Transactions;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import io.counterkit.spi.RecentlyUsed;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Reports the conflicts of transactions, and names a transaction of the application that may be the cause. Thread-safe.
 */
final class Contention {
    private static final String ANY_NAME = "";

    private final boolean hasOneWriter;

    /**
     * The names that transactions of the application in this process have changed; each transaction may still be open.
     */
    private final RecentlyUsed<String, Boolean> callersNames = new RecentlyUsed<>(1_000);

    /** @param hasOneWriter whether a transaction locks the whole database, instead of rows */
    Contention(boolean hasOneWriter) {
        this.hasOneWriter = hasOneWriter;
    }

    /** Notes that a transaction of the application changes a name. */
    void noteCallersTransaction(String name) {
        callersNames.put(hasOneWriter ? ANY_NAME : name, true);
    }

    /**
     * Returns an attempt that reports conflicts. If it has waited for a lock for as long as it may, it fails with {@link
     * ContentionException}: the answer to another attempt could come after the deadline.
     */
    <T> Callable<T> attempt(String what, Collection<String> names, Call call, Callable<T> attempt) {
        Duration least = Transactions.margin(call.remaining()).multipliedBy(2);
        return () -> {
            try {
                return attempt.call();
            } catch (StoreFailure e) {
                if (e.isConflict()) {
                    call.reportConflict(names);
                    if (call.remaining().compareTo(least) < 0) {
                        throw contention(what + " failed: " + e.getMessage(), names, e);
                    }
                }
                throw e;
            }
        };
    }

    /**
     * Returns a future that fails with {@link ContentionException} if other transactions kept their locks until the
     * deadline.
     */
    <T> CompletableFuture<T> report(Collection<String> names, CompletableFuture<T> outcome) {
        return outcome.exceptionallyCompose(failure -> {
            Throwable cause = Futures.unwrap(failure);
            return CompletableFuture.failedFuture(
                    cause.getClass() == NotAppliedException.class
                                    && cause.getCause() instanceof StoreFailure store
                                    && store.isConflict()
                            ? contention(String.valueOf(cause.getMessage()), names, store)
                            : cause);
        });
    }

    private ContentionException contention(String message, Collection<String> names, StoreFailure cause) {
        Stream<String> locked = hasOneWriter ? Stream.of(ANY_NAME) : names.stream();
        boolean mayBeCallers = locked.anyMatch(name -> callersNames.get(name) != null);
        return new ContentionException(
                mayBeCallers
                        ? message + "; perhaps an open transaction of this program has "
                                + (hasOneWriter ? "locked the file" : "changed the same name")
                                + ": make this change within it, or end it first"
                        : message,
                cause);
    }
}
