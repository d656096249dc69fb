package io.counterkit.internal.batch;

import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The requests of waiters that travel together under one commit. Filled by one thread, then sent once, then settled
 * once. If the thread that carries it for others is interrupted meanwhile and the batch fails, that concerns the caller
 * of that thread only: the others are surely not applied, and go again, or stay undecided, and another thread finds out.
 */
abstract class Batch<W extends PendingRequest<R>, R> {
    private final int maxWeight;
    private final List<W> members = new ArrayList<>();
    private final List<Integer> requestOf = new ArrayList<>();
    private final Set<IdempotencyToken> tokens = new HashSet<>();
    private final Set<Integer> leftAgain = new HashSet<>();
    private int weight;
    private int failed;
    private boolean isUndecided;

    final Commit commit;

    /** How many requests were left in the queue when this batch was made. */
    int leftWaiting;

    Batch(int maxWeight, Commit commit) {
        this.maxWeight = maxWeight;
        this.commit = commit;
    }

    /** Takes the waiter in and returns true, or leaves it and everything as it was and returns false. */
    abstract boolean take(W waiter);

    /** Sends the requests. */
    abstract CompletableFuture<List<Result<R>>> send();

    /** Decides the outcome of each request that was sent: it has its result, or goes again because it never was applied. */
    abstract CompletableFuture<List<Result<R>>> decide();

    /** How many requests the store is sent. */
    abstract int requestCount();

    /** Adds or appends. */
    abstract ChangeTarget.Kind kind();

    /** The counter or sequence of the first member. */
    abstract String firstName();

    /** Whether the waiter has a token of its caller, under which it may be sent again whatever became of this batch. */
    abstract boolean hasOwnToken(W waiter);

    /** The token to hand out to the waiter that is member {@code index}. */
    abstract IdempotencyToken cover(W waiter, int index);

    /** Whether a request fits by its weight and token; the first one always does. */
    final boolean fits(int more, @Nullable IdempotencyToken token) {
        boolean light = members.isEmpty() || weight + more <= maxWeight;
        return light && (token == null || !tokens.contains(token));
    }

    /** Makes the waiter a member whose answer is that of {@code request}; false if its caller has left. */
    final boolean join(W waiter, int request, int more, @Nullable IdempotencyToken token) {
        int index = members.size();
        if (!waiter.send(() -> cover(waiter, index))) {
            return false;
        }
        members.add(waiter);
        requestOf.add(request);
        weight += more;
        if (token != null) {
            tokens.add(token);
        }
        return true;
    }

    final boolean isEmpty() {
        return members.isEmpty();
    }

    /** Whether no other caller's request is in it. */
    final boolean isOnly(W waiter) {
        return members.size() == 1 && members.get(0) == waiter;
    }

    final boolean isUndecided() {
        return isUndecided;
    }

    /** The members whose callers still wait. */
    final List<W> waiting() {
        List<W> waiting = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            if (!leftAgain.contains(i) && !members.get(i).isDone()) {
                waiting.add(members.get(i));
            }
        }
        return waiting;
    }

    /** Frees the room of members whose callers have cancelled them, where nobody waits for the decision any more. */
    final void abandon() {
        members.forEach(waiter -> {
            if (waiter.isDone()) {
                waiter.settle(null, new CancellationException());
            }
        });
    }

    final W member(int index) {
        return members.get(index);
    }

    /**
     * Ends every member with its result, or with the failure of the whole batch.
     *
     * @param interrupted the member, or another waiter, whose thread carried the batch and was interrupted meanwhile; null
     *     for none. The others are then not ended by a failure that the interrupt may have caused
     * @return those to be sent again, in order
     */
    final List<W> settle(@Nullable List<Result<R>> results, @Nullable Throwable failure, @Nullable W interrupted) {
        List<W> again = new ArrayList<>();
        boolean wasUndecided = isUndecided;
        boolean progress = wasUndecided || isProgress(results);
        isUndecided = false;
        for (int i = 0; i < members.size(); i++) {
            if (leftAgain.contains(i)) {
                continue; // it is in the queue, or in another batch
            }
            W waiter = members.get(i);
            if (failure != null || results == null || !isWhole(results)) {
                fail(i, failure == null ? wrongSize(results) : failure, interrupted, again);
                continue;
            }
            Result<R> result = results.get(requestOf.get(i));
            if (result.failure() != null) {
                fail(i, result.failure(), interrupted, again);
            } else if (!result.isRetry()) {
                waiter.settle(result.value(), null);
            } else if (!progress) {
                failed++;
                waiter.settle(
                        null, new NotAppliedException(waiter.what() + ": the backend asked for everything again"));
            } else {
                sendAgain(i, wasUndecided && hasOwnToken(waiter), again);
            }
        }
        return again;
    }

    private boolean isProgress(@Nullable List<Result<R>> results) {
        return results != null
                && isWhole(results)
                && (results.stream().anyMatch(result -> !result.isRetry())
                        || members.stream().anyMatch(PendingRequest::isDone));
    }

    private void sendAgain(int member, boolean inDoubt, List<W> again) {
        W waiter = members.get(member);
        leftAgain.add(member);
        if (inDoubt ? waiter.takeBackInDoubt() : waiter.takeBack()) {
            again.add(waiter);
        } else {
            waiter.drop();
        }
    }

    /** Ends a member with a failure, unless that may come from an interrupt which was not for its caller. */
    private void fail(int member, Throwable failure, @Nullable W interrupted, List<W> again) {
        W waiter = members.get(member);
        if (interrupted == null || interrupted == waiter || waiter.isDone() || Failures.isOfTheRequest(failure)) {
            failed++;
            waiter.settle(null, failureOf(member, failure));
        } else if (Failures.isUnknown(failure)) {
            isUndecided = true;
        } else {
            sendAgain(member, false, again);
        }
    }

    private boolean isWhole(List<Result<R>> results) {
        return results.size() == requestCount() && results.stream().allMatch(Objects::nonNull);
    }

    private Throwable failureOf(int member, Throwable failure) {
        W waiter = members.get(member);
        boolean isOpen = waiter.isInDoubt()
                && !Failures.isUnknown(failure)
                && !(Failures.unwrap(failure) instanceof TokenRefusedException);
        Throwable told = isOpen ? new IllegalStateException(Reasons.of(failure), failure) : failure;
        return Failures.ofChange(told, waiter.what(), () -> cover(waiter, member));
    }

    private IllegalStateException wrongSize(@Nullable List<Result<R>> results) {
        return new IllegalStateException("the backend gave " + (results == null ? "no" : results.size())
                + " results to " + requestCount() + " requests, or null among them");
    }

    /** What to tell the listener, after {@link #settle}. */
    final CountersListener.Batch event(long nanos) {
        return new CountersListener.Batch(
                kind(),
                firstName(),
                members.size(),
                members.size() - requestCount(),
                failed,
                leftWaiting,
                Duration.ofNanos(nanos));
    }
}
