package io.counterkit.internal.batch;

import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Requests of callers that are sent together under one commit. One thread fills the batch, sends it once and settles it
 * once.
 *
 * <p>If the thread that runs the batch is interrupted and the batch fails, only the caller of that thread gets the
 * failure. The other members are sent again if they were not applied. If that is unknown, the batch becomes undecided,
 * and the next leader resolves it.
 *
 * @param <C> the changes: adds or appends
 * @param <R> the result of a change
 */
abstract class Batch<C extends PendingChange<R>, R> {
    private final int maxWeight;
    private final List<C> members = new ArrayList<>();

    /** For each member, the index of the request that carries it. */
    private final List<Integer> requestOf = new ArrayList<>();

    private final Set<IdempotencyToken> tokens = new HashSet<>();

    /** The indexes of the members that have left this batch, with their outcome or to be sent in another batch. */
    private final Set<Integer> left = new HashSet<>();

    private int weight;
    private int failed;
    private boolean isUndecided;

    final Commit commit;

    /** The names that no other batch in flight has; empty if batches may overlap. */
    final Set<String> names = new HashSet<>();

    /** The number of requests that stayed in the queue when this batch was formed. */
    int leftWaiting;

    /** Whether requests stayed in the queue because this batch was full. */
    boolean isFull;

    Batch(int maxWeight, Commit commit) {
        this.maxWeight = maxWeight;
        this.commit = commit;
    }

    /** Takes the change and returns true, or returns false and does nothing if it needs another batch. */
    abstract boolean tryTake(C change);

    /** Sends the requests. */
    abstract CompletableFuture<List<Result<R>>> send();

    /** Resolves each request that was sent: returns its result, or {@link Result#retry()} if it was not applied. */
    abstract CompletableFuture<List<Result<R>>> resolve();

    /** Returns the number of requests that are sent to the store. */
    abstract int requestCount();

    /** Returns whether the weight and the token of a change fit. The first change always fits. */
    final boolean fits(C change, int more) {
        boolean light = members.isEmpty() || weight + more <= maxWeight;
        return light && (change.token() == null || !tokens.contains(change.token()));
    }

    /** Makes a change a member that {@code request} carries, or returns false if its caller has left. */
    final boolean tryJoin(C change, int request, int more) {
        int index = members.size();
        change.setCarrier(commit);
        if (!change.trySend(() -> change.coveringToken(commit, index))) {
            return false;
        }
        members.add(change);
        requestOf.add(request);
        weight += more;
        if (change.token() != null) {
            tokens.add(change.token());
        }
        return true;
    }

    final boolean isEmpty() {
        return members.isEmpty();
    }

    final int size() {
        return members.size();
    }

    /** Returns whether {@code change} is the only member. */
    final boolean isOnly(C change) {
        return members.size() == 1 && members.get(0) == change;
    }

    final boolean isUndecided() {
        return isUndecided;
    }

    /** Returns the members whose callers still wait. */
    final List<C> waiting() {
        List<C> waiting = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            if (!left.contains(i) && !members.get(i).isDone()) {
                waiting.add(members.get(i));
            }
        }
        return waiting;
    }

    /** Releases the members that their callers have cancelled. Called if no caller waits for the batch. */
    final void abandon() {
        members.forEach(member -> {
            if (member.isDone()) {
                member.settle(null, new CancellationException());
            }
        });
    }

    final C member(int index) {
        return members.get(index);
    }

    /**
     * Settles every member with its result, or with the failure of the whole batch.
     *
     * @param interrupted the request of the thread that was interrupted while it ran the batch, or null. Other members
     *     do not get a failure that the interrupt may have caused
     * @return the members to send again, in order
     */
    final List<C> settle(@Nullable List<Result<R>> results, @Nullable Throwable failure, @Nullable C interrupted) {
        List<C> retries = new ArrayList<>();
        boolean wasUndecided = isUndecided;
        Throwable failing = failure == null ? Failures.ofResults(results, requestCount(), "requests") : failure;
        List<Result<R>> answers = failing == null && results != null ? results : List.of();
        boolean progress = wasUndecided || (failing == null && hasProgress(answers));
        isUndecided = false;
        for (int i = 0; i < members.size(); i++) {
            if (!left.add(i)) {
                continue;
            }
            C member = members.get(i);
            if (failing != null) {
                fail(i, failing, interrupted, retries);
                continue;
            }
            Result<R> result = answers.get(requestOf.get(i));
            if (result.failure() != null) {
                fail(i, result.failure(), interrupted, retries);
            } else if (!result.isRetry()) {
                member.settle(result.value(), null);
            } else if (!progress) {
                failed++;
                member.settle(
                        null,
                        new NotAppliedException(member.what() + ": the backend asked to send all requests again"));
            } else {
                retry(i, wasUndecided && member.token() != null, retries);
            }
        }
        return retries;
    }

    private boolean hasProgress(List<Result<R>> answers) {
        return answers.stream().anyMatch(result -> !result.isRetry())
                || members.stream().anyMatch(PendingRequest::isDone);
    }

    private void retry(int index, boolean inDoubt, List<C> retries) {
        C member = members.get(index);
        if (member.tryTakeBack(inDoubt)) {
            retries.add(member);
        } else {
            member.drop();
        }
    }

    /** Settles a member with a failure, unless the failure may come from the interrupt of another caller. */
    private void fail(int index, Throwable failure, @Nullable C interrupted, List<C> retries) {
        C member = members.get(index);
        if (interrupted == null || interrupted == member || member.isDone() || Failures.isRefusal(failure)) {
            failed++;
            member.settle(null, failureOf(index, failure));
        } else if (Failures.isUnknown(failure)) {
            isUndecided = true;
            left.remove(index); // it stays until the batch is resolved
        } else {
            retry(index, false, retries);
        }
    }

    /** Returns the failure to report. It is unknown if an earlier attempt may have been applied. */
    private Throwable failureOf(int index, Throwable failure) {
        C member = members.get(index);
        boolean isOpen = member.isInDoubt()
                && !Failures.isUnknown(failure)
                && !(Futures.unwrap(failure) instanceof TokenRefusedException);
        Throwable reported = isOpen ? new IllegalStateException(Reasons.of(failure), failure) : failure;
        return Failures.ofChange(reported, member.what(), () -> member.coveringToken(commit, index));
    }

    /** Returns the event to report to the listener, after {@link #settle}. */
    final CountersListener.Batch event(long nanos) {
        ChangeTarget first = member(0).target();
        return new CountersListener.Batch(
                first.kind(),
                first.name(),
                members.size(),
                members.size() - requestCount(),
                failed,
                leftWaiting,
                Duration.ofNanos(nanos));
    }
}
