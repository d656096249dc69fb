package io.counterkit.internal.request;

import io.counterkit.CounterException;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.internal.batch.Failures;
import io.counterkit.internal.batch.GeneratedToken;
import io.counterkit.internal.batch.PendingRequest;
import io.counterkit.internal.batch.PendingRequests;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends one call to the backend that is not combined with others: reads, and changes of a whole counter or sequence.
 * Sees to the deadline, the queue limit and close, and gives each failure its outcome.
 */
final class BackendInvoker implements LongFunction<Commit> {
    /** The start of an event that is not told. */
    static final long NOBODY_LISTENS = Long.MIN_VALUE;

    private final CountersOptions options;
    private final CountersListener listener;
    private final PendingRequests outstanding;

    BackendInvoker(CountersOptions options, CountersListener listener, PendingRequests outstanding) {
        this.options = options;
        this.listener = listener;
        this.outstanding = outstanding;
    }

    CountersListener listener() {
        return listener;
    }

    PendingRequests outstanding() {
        return outstanding;
    }

    void checkOpen() {
        outstanding.checkOpen();
    }

    /** A commit that has so many nanoseconds. */
    @Override
    public Commit apply(long nanos) {
        return new Commit(nanos, options.random(), listener);
    }

    /** A commit that has the whole deadline. Its time is not started yet: that would cost more than an add in memory. */
    Commit commit() {
        return apply(outstanding.timeoutNanos());
    }

    /** A call that changes nothing and has the whole deadline. */
    Call call() {
        Call call = new Call(outstanding.timeoutNanos(), listener);
        call.start();
        return call;
    }

    /** A read: {@link PendingRequest#reply()} for an asynchronous caller, {@link PendingRequest#await()} for one that blocks. */
    <T> PendingRequest<T> read(String what, Function<Call, CompletableFuture<T>> read) {
        return read(what, 0, read);
    }

    /** The same, of a request that takes {@code bytes} besides {@code what}. */
    <T> PendingRequest<T> read(String what, long bytes, Function<Call, CompletableFuture<T>> read) {
        return send(what, bytes, () -> read.apply(call()), null, failure -> Failures.ofRead(failure, what));
    }

    /** A change of a counter or sequence as a whole. */
    <T> PendingRequest<T> change(String what, ChangeTarget origin, Function<Commit, CompletableFuture<T>> call) {
        Commit commit = commit();
        commit.start();
        return change(what, () -> GeneratedToken.other(commit, origin).toToken(), () -> call.apply(commit));
    }

    /** A change that is covered by the token that {@code cover} gives. */
    <T> PendingRequest<T> change(String what, Supplier<IdempotencyToken> cover, Supplier<CompletableFuture<T>> call) {
        return change(what, 0, cover, call);
    }

    /** The same, of a request that takes {@code bytes} besides {@code what}. */
    <T> PendingRequest<T> change(
            String what, long bytes, Supplier<IdempotencyToken> cover, Supplier<CompletableFuture<T>> call) {
        return send(what, bytes, call, cover, failure -> Failures.ofChange(failure, what, cover));
    }

    private <T> PendingRequest<T> send(
            String what,
            long bytes,
            Supplier<CompletableFuture<T>> call,
            @Nullable Supplier<IdempotencyToken> cover,
            Function<Throwable, Throwable> told) {
        PendingRequest<T> waiter = new PendingRequest<>(what, bytes, outstanding);
        if (!outstanding.admit(waiter)) {
            return refused(what);
        }
        if (waiter.send(cover)) {
            follow(waiter, begin(call), told);
        }
        return waiter;
    }

    /** A request that the queue has no room for. */
    <T> PendingRequest<T> refused(String what) {
        listener.onQueueFull(what);
        PendingRequest<T> refused = new PendingRequest<>(what, outstanding);
        refused.settle(null, outstanding.queueFull(what));
        return refused;
    }

    private static <T> void follow(
            PendingRequest<T> waiter, CompletableFuture<T> sent, Function<Throwable, Throwable> told) {
        CompletableFuture<T> unused = sent.whenComplete(
                (value, failure) -> waiter.settle(value, failure == null ? null : told.apply(failure)));
    }

    /** The one result of a batch of one, told to the listener as such. */
    <T> CompletableFuture<T> only(CompletableFuture<List<Result<T>>> sent, ChangeTarget origin, long start) {
        return sent.handle((results, failure) -> {
            Result<T> result = results != null && results.size() == 1 ? results.get(0) : null;
            boolean applied = failure == null && result != null && result.isApplied();
            if (start != NOBODY_LISTENS) {
                Duration latency = Duration.ofNanos(System.nanoTime() - start);
                listener.onBatch(
                        new CountersListener.Batch(origin.kind(), origin.name(), 1, 0, applied ? 0 : 1, 0, latency));
            }
            if (result == null || !applied) {
                throw new CompletionException(failureOf(result, failure));
            }
            return result.value();
        });
    }

    private static <T> Throwable failureOf(@Nullable Result<T> result, @Nullable Throwable failure) {
        if (failure != null) {
            return failure;
        }
        if (result == null) {
            return new IllegalStateException("the backend did not give 1 result to 1 request");
        }
        CounterException told = result.failure();
        return told != null ? told : new NotAppliedException("the backend asked for a batch of 1 again");
    }

    /** The time, or {@link #NOBODY_LISTENS}. */
    long startOfEvent() {
        return listener == CountersListener.disabled() ? NOBODY_LISTENS : System.nanoTime();
    }

    static <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> call) {
        try {
            return Objects.requireNonNull(call.get(), "the backend returned null for a future");
        } catch (Throwable e) { // an Error too: the caller has to be told an outcome
            return CompletableFuture.failedFuture(e);
        }
    }
}
