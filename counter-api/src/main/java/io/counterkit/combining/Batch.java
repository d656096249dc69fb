package io.counterkit.combining;

import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Origin;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The requests of waiters that travel together under one commit. Filled by one thread, then sent once, then settled
 * once.
 */
abstract class Batch<W extends Waiter<R>, R> {
    private final int maxWeight;
    private final List<W> members = new ArrayList<>();
    private final List<Integer> requestOf = new ArrayList<>();
    private final Set<IdempotencyToken> tokens = new HashSet<>();
    private int weight;
    private int failed;

    final Commit commit;

    /** How many requests were left in the queue when this batch was made. */
    int leftWaiting;

    Batch(int maxWeight, Commit commit) {
        this.maxWeight = maxWeight;
        this.commit = commit;
    }

    /** Takes the waiter in and returns true, or leaves it and everything as it was and returns false. */
    abstract boolean take(W waiter);

    /** Sends the requests; never throws. */
    abstract CompletableFuture<List<Result<R>>> send();

    /** How many requests the store is sent. */
    abstract int requestCount();

    /** Adds or appends. */
    abstract Origin.Kind kind();

    /** The counter or sequence of the first member. */
    abstract String firstName();

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

    final W member(int index) {
        return members.get(index);
    }

    /**
     * Ends every member with its result, or with the failure of the whole batch.
     *
     * @return those to be sent again, in order
     */
    final List<W> settle(@Nullable List<Result<R>> results, @Nullable Throwable failure) {
        List<W> again = new ArrayList<>();
        boolean progress = results != null
                && isWhole(results)
                && (results.stream().anyMatch(result -> !result.isAgain())
                        || members.stream().anyMatch(Waiter::isDone));
        for (int i = 0; i < members.size(); i++) {
            W waiter = members.get(i);
            if (failure != null || results == null || !isWhole(results)) {
                failed++;
                waiter.settle(null, failureOf(i, failure == null ? wrongSize(results) : failure));
                continue;
            }
            Result<R> result = results.get(requestOf.get(i));
            if (!result.isAgain()) {
                failed += result.failure() == null ? 0 : 1;
                waiter.settle(result.value(), result.failure() == null ? null : failureOf(i, result.failure()));
            } else if (!progress) {
                failed++;
                waiter.settle(
                        null, new NotAppliedException(waiter.what() + ": the backend asked for everything again"));
            } else if (waiter.takeBack()) {
                again.add(waiter);
            } else {
                waiter.drop();
            }
        }
        return again;
    }

    private boolean isWhole(List<Result<R>> results) {
        return results.size() == requestCount() && results.stream().allMatch(Objects::nonNull);
    }

    private Throwable failureOf(int member, Throwable failure) {
        return Failures.ofChange(failure, members.get(member).what(), () -> cover(members.get(member), member));
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
