package io.counterkit.firestore.internal.client;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.CounterException;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Sends requests to Firestore and retries them. Each returned future completes before the deadline of its call, and
 * blocks no thread. Thread-safe.
 *
 * <p>The same commit is sent again until the store gives a definite answer. Its token document makes that safe: at most
 * one attempt is applied, including the automatic retries of Google's client.
 */
public final class RetryingClient implements AutoCloseable {
    private final BackendTimers timers = new BackendTimers();
    private final StoreClock clock;
    private final TokenRetention retention;
    private final OpenTransactions transactions = new OpenTransactions();
    private volatile boolean isClosed;

    /** Creates a client that reports the time of each answer to {@code clock}. */
    RetryingClient(StoreClock clock, TokenRetention retention) {
        this.clock = clock;
        this.retention = retention;
    }

    /** Starts a change, or fails with {@link NotAppliedException} if its deadline is too long for the retention. */
    public <T> CompletableFuture<T> startChange(String what, Call call, Supplier<CompletableFuture<T>> start) {
        try {
            retention.checkDeadline(call.remaining());
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(
                    new NotAppliedException(what + " with a " + e.getMessage() + "; nothing was applied"));
        }
        return start.get();
    }

    /**
     * Sends a commit until the store gives a definite answer. If the store refuses the commit or the deadline passes,
     * the future fails and the outcome is unknown.
     *
     * @param names the counters or sequences of the commit, for reports of contention
     */
    public <T> CompletableFuture<Answer<T>> commit(
            Call call, Collection<String> names, Supplier<ApiFuture<T>> attempt) {
        return commit(call, names, attempt, 1);
    }

    /**
     * Sends a commit as {@link #commit(Call, Collection, Supplier)} does.
     *
     * @param attempts the number of the first attempt: 1, or more if another commit of the same change was sent before
     */
    public <T> CompletableFuture<Answer<T>> commit(
            Call call, Collection<String> names, Supplier<ApiFuture<T>> attempt, int attempts) {
        return commit(call, names, () -> {}, attempt, attempts);
    }

    /**
     * Sends a commit as {@link #commit(Call, Collection, Supplier, int)} does, and calls {@code onConflict} at each
     * conflict.
     */
    public <T> CompletableFuture<Answer<T>> commit(
            Call call, Collection<String> names, Runnable onConflict, Supplier<ApiFuture<T>> attempt, int attempts) {
        long start = System.nanoTime();
        return once(call, attempt)
                .thenApply(value -> new Answer<T>(null, value))
                .exceptionallyCompose(failure -> {
                    Throwable cause = Futures.unwrap(failure);
                    StoreError error = FirestoreErrors.of(cause);
                    if (error == StoreError.EXISTS || error == StoreError.MISSING) {
                        return CompletableFuture.completedFuture(new Answer<>(error, null));
                    }
                    if (error == StoreError.REFUSED) {
                        return CompletableFuture.failedFuture(refusal(cause, attempts));
                    }
                    if (error == StoreError.CONTENTION) {
                        onConflict.run();
                        call.reportConflict(names);
                    }
                    if (isPastDeadline(call, cause)) {
                        return CompletableFuture.failedFuture(cause);
                    }
                    call.reportRetry(cause);
                    return timers.afterPause(
                            call,
                            attempts,
                            error == StoreError.CONTENTION ? System.nanoTime() - start : 0,
                            () -> commit(call, names, onConflict, attempt, attempts + 1));
                });
    }

    /**
     * Returns the failure of a refused commit. The refusal of a later attempt says nothing about the earlier ones. The
     * first attempt was not sent if the client itself failed, for example because it is closed.
     */
    private static Throwable refusal(Throwable cause, int attempts) {
        if (attempts > 1) {
            return cause instanceof CounterException ? new IllegalStateException(cause.getMessage(), cause) : cause;
        }
        return FirestoreErrors.isOfStore(cause) && !FirestoreErrors.isUnsent(cause)
                ? cause
                : FirestoreErrors.notApplied("sending a commit", cause);
    }

    /** Sends a read, and retries it within the deadline. */
    public <T> CompletableFuture<T> read(Call call, Supplier<ApiFuture<T>> request) {
        return read(call, request, 1);
    }

    private <T> CompletableFuture<T> read(Call call, Supplier<ApiFuture<T>> request, int attempts) {
        return once(call, request).exceptionallyCompose(failure -> {
            Throwable cause = Futures.unwrap(failure);
            StoreError error = FirestoreErrors.of(cause);
            if (error == StoreError.REFUSED || error == StoreError.MISSING || isPastDeadline(call, cause)) {
                return CompletableFuture.failedFuture(cause);
            }
            call.reportRetry(cause);
            return timers.afterPause(call, attempts, () -> read(call, request, attempts + 1));
        });
    }

    private static boolean isPastDeadline(Call call, Throwable cause) {
        return cause instanceof TimeoutException || call.remaining().toNanos() <= 0;
    }

    /**
     * Sends one request once. The future fails with the client's failure, or with {@link GivenUpException} if the
     * deadline passes or this client is closed.
     */
    public <T> CompletableFuture<T> once(Call call, Supplier<ApiFuture<T>> request) {
        if (isClosed) {
            return CompletableFuture.failedFuture(GivenUpException.closed());
        }
        long nanos = call.remaining().toNanos();
        if (nanos <= 0) {
            return CompletableFuture.failedFuture(GivenUpException.unsent("the deadline passed"));
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        long asked = System.nanoTime();
        try {
            ApiFutures.addCallback(
                    withoutInterrupt(request),
                    new ApiFutureCallback<>() {
                        @Override
                        public void onSuccess(T value) {
                            clock.noteAnswer(value, asked);
                            result.complete(value);
                        }

                        @Override
                        public void onFailure(Throwable failure) {
                            result.completeExceptionally(failure);
                        }
                    },
                    MoreExecutors.directExecutor());
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
        if (!result.isDone()) {
            // The request is not cancelled: a cancelled commit may still be applied.
            CompletableFuture<Void> end = timers.start(nanos);
            CompletableFuture<?> unusedEnd =
                    end.whenComplete((over, closed) -> result.completeExceptionally(GivenUpException.sent(
                            closed == null
                                    ? "Firestore did not answer in time"
                                    : "the backend was closed before Firestore answered")));
            CompletableFuture<?> unused = result.whenComplete((value, failure) -> end.cancel(false));
        } else if (result.handle((value, failure) -> failure instanceof InterruptedException)
                .join()) {
            Thread.currentThread().interrupt(); // the client has cleared the flag
        }
        return result;
    }

    /**
     * Sends a request while the interrupt flag of this thread is cleared, and restores the flag. If an attempt is
     * answered immediately, Google's client calls {@code get}, which throws if the thread is interrupted: the client
     * would clear the flag, and regard the attempt as failed. If an interrupt arrives during the request, this still
     * happens, and the client fails with {@link InterruptedException}.
     */
    public static <T> ApiFuture<T> withoutInterrupt(Supplier<ApiFuture<T>> request) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            return request.get();
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the timers, which end with {@link #close}. */
    BackendTimers timers() {
        return timers;
    }

    /** Returns the transactions for whose end {@link #close} waits. */
    OpenTransactions transactions() {
        return transactions;
    }

    /** Ends the threads. Pending requests fail as if their deadline had passed, and their transactions are rolled back. */
    @Override
    public void close() {
        isClosed = true;
        timers.close();
        transactions.awaitEnd();
    }
}
