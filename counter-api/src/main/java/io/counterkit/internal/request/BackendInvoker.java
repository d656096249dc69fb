package io.counterkit.internal.request;

import io.counterkit.CounterException;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
import io.counterkit.internal.batch.Failures;
import io.counterkit.internal.batch.GeneratedToken;
import io.counterkit.internal.batch.PendingChange;
import io.counterkit.internal.batch.PendingRequest;
import io.counterkit.internal.batch.PendingRequests;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits.InvalidCursorException;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls to the backend that are not combined with others. Applies the limits of {@link PendingRequests}, and
 * converts each failure into an exception that states the outcome.
 */
final class BackendInvoker {
    private final RandomGenerator random;
    private final PendingRequests pending;

    BackendInvoker(RandomGenerator random, PendingRequests pending) {
        this.random = random;
        this.pending = pending;
    }

    PendingRequests pending() {
        return pending;
    }

    /** Creates a commit that has {@code nanos} from now on. */
    Commit newCommit(long nanos) {
        Commit commit = new Commit(Duration.ofNanos(nanos), random, pending.listener());
        commit.start();
        return commit;
    }

    /** Creates a call that has the whole deadline from now on. */
    Call newCall() {
        Call call = new Call(Duration.ofNanos(pending.timeoutNanos()), pending.listener());
        call.start();
        return call;
    }

    <T> PendingRequest<T> read(String what, Function<Call, CompletableFuture<T>> read) {
        return read(what, 0, read);
    }

    /** Sends a read of a page of names, whose cursor the backend may refuse. */
    PendingRequest<NamePage> list(String what, Function<Call, CompletableFuture<NamePage>> read) {
        return read(
                what,
                0,
                read,
                failure -> Futures.unwrap(failure) instanceof InvalidCursorException refusal
                        ? refusal
                        : Failures.ofRead(failure, what));
    }

    /**
     * Sends a read.
     *
     * @param bytes the bytes that the request takes besides {@code what}
     */
    <T> PendingRequest<T> read(String what, long bytes, Function<Call, CompletableFuture<T>> read) {
        return read(what, bytes, read, failure -> Failures.ofRead(failure, what));
    }

    private <T> PendingRequest<T> read(
            String what,
            long bytes,
            Function<Call, CompletableFuture<T>> read,
            Function<Throwable, Throwable> reported) {
        Call call = newCall();
        PendingRequest<T> request = new PendingRequest<>(what, bytes, pending);
        request.setCarrier(call);
        return send(request, null, () -> begin(() -> read.apply(call)).thenApply(BackendInvoker::answer), reported);
    }

    /** Sends a change of a counter or sequence as a whole. */
    <T> PendingRequest<T> change(String what, ChangeTarget target, Function<Commit, CompletableFuture<T>> change) {
        Commit commit = newCommit(pending.timeoutNanos());
        PendingRequest<T> request = new PendingRequest<>(what, 0, pending);
        request.setCarrier(commit);
        return change(request, () -> GeneratedToken.other(commit, target).toToken(), () -> change.apply(commit));
    }

    /**
     * Sends a change.
     *
     * @param cover returns the token to hand out if the outcome is unknown
     */
    <T> PendingRequest<T> change(
            PendingRequest<T> request, Supplier<IdempotencyToken> cover, Supplier<CompletableFuture<T>> call) {
        return send(request, cover, call, failure -> Failures.ofChange(failure, request.what(), cover));
    }

    private <T> PendingRequest<T> send(
            PendingRequest<T> request,
            @Nullable Supplier<IdempotencyToken> cover,
            Supplier<CompletableFuture<T>> call,
            Function<Throwable, Throwable> reported) {
        if (pending.tryAdmit(request) && request.trySend(cover)) {
            CompletableFuture<T> unused = begin(call)
                    .whenComplete((value, failure) ->
                            request.settle(value, failure == null ? null : reported.apply(failure)));
        }
        return request;
    }

    /** Sends a change as a batch of one. */
    <T> PendingRequest<T> sendAlone(
            PendingChange<T> change, Function<Commit, CompletableFuture<List<Result<T>>>> send) {
        // Does not start the commit's time: reading the clock would cost more than an add in memory.
        Commit commit = new Commit(Duration.ofNanos(pending.timeoutNanos()), random, pending.listener());
        change.setCarrier(commit);
        return change(change, () -> change.coveringToken(commit, 0), () -> {
            long start = pending.hasListener() ? System.nanoTime() : 0;
            return send.apply(commit).handle((results, failure) -> onlyResult(change, results, failure, start));
        });
    }

    private <T> @Nullable T onlyResult(
            PendingChange<T> change, @Nullable List<Result<T>> results, @Nullable Throwable failure, long start) {
        Result<T> result = results != null && results.size() == 1 ? results.get(0) : null;
        boolean applied = failure == null && result != null && result.isApplied();
        if (pending.hasListener()) {
            ChangeTarget target = change.target();
            Duration latency = Duration.ofNanos(System.nanoTime() - start);
            pending.listener()
                    .onBatch(new CountersListener.Batch(
                            target.kind(), target.name(), 1, 0, applied ? 0 : 1, 0, latency));
        }
        if (result == null || !applied) {
            throw new CompletionException(failureOf(result, failure));
        }
        return result.value();
    }

    private static <T> Throwable failureOf(@Nullable Result<T> result, @Nullable Throwable failure) {
        if (failure != null) {
            return failure;
        }
        if (result == null) {
            return new IllegalStateException("the backend did not return exactly one result");
        }
        CounterException known = result.failure();
        return known != null ? known : new NotAppliedException("the backend asked to send a batch of 1 request again");
    }

    /** Returns the answer of the backend, which must not be null. */
    static <T> T answer(@Nullable T answer) {
        return Objects.requireNonNull(answer, "the backend returned no answer");
    }

    /** Returns the future of a call, which fails if the call throws. */
    static <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> call) {
        try {
            return Objects.requireNonNull(call.get(), "the backend returned null for a future");
        } catch (Throwable e) { // an Error too: the caller needs an outcome
            return CompletableFuture.failedFuture(e);
        }
    }
}
