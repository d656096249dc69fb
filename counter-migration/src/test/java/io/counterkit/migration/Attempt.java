package io.counterkit.migration;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Origin;
import io.counterkit.spi.Result;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One add or append that one process tries, and what it is told. Several with one token are one change. */
final class Attempt {
    /** The change: the same for all attempts with one token. */
    final String change;

    final Origin.Kind kind;
    final long delta;
    final @Nullable IdempotencyToken token;
    final @Nullable String subject;
    final Change what;
    final Commit commit;
    int begun;
    int ended = Integer.MAX_VALUE;

    @Nullable Result<?> result;

    @Nullable Throwable failure;

    private Attempt(
            Origin.Kind kind,
            String change,
            long delta,
            boolean withToken,
            Change what,
            @Nullable String subject,
            Commit commit) {
        this.kind = kind;
        this.change = change;
        this.delta = delta;
        this.token = withToken ? IdempotencyToken.of(change) : null;
        this.what = what;
        this.subject = subject;
        this.commit = commit;
    }

    static Attempt add(String change, long delta, boolean withToken, Commit commit) {
        return new Attempt(Origin.Kind.COUNTER, change, delta, withToken, Change.ADDED, null, commit);
    }

    static Attempt append(String change, boolean withToken, Change what, @Nullable String subject, Commit commit) {
        return new Attempt(Origin.Kind.SEQUENCE, change, what.delta(), withToken, what, subject, commit);
    }

    CompletableFuture<Result<?>> send(CounterBackend backend) {
        return kind == Origin.Kind.COUNTER
                ? backend.counters()
                        .add(List.of(new AddRequest(World.NAME, delta, token)), commit)
                        .thenApply(results -> results.get(0))
                : backend.sequences()
                        .append(
                                World.NAME,
                                List.of(new AppendRequest(what, subject, Map.of("change", change), token)),
                                commit)
                        .thenApply(results -> results.get(0));
    }

    Origin origin() {
        return kind == Origin.Kind.COUNTER ? Origin.counter(World.NAME) : Origin.append(World.NAME, 0);
    }

    boolean isDone() {
        return result != null && result.isApplied();
    }

    /** Whether the process was told that this attempt changed nothing. */
    boolean isRefused() {
        return result != null
                ? result.isAgain() || result.failure() instanceof NotAppliedException
                : failure instanceof NotAppliedException;
    }

    long number() {
        return ((Entry) result.orThrow()).number();
    }

    @Override
    public String toString() {
        return change + " [" + begun + "–" + (ended == Integer.MAX_VALUE ? "" : ended) + "] "
                + (result == null ? failure : result);
    }
}
