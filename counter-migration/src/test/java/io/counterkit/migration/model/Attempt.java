package io.counterkit.migration.model;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.migration.internal.routing.World;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One add or append of one process, with its result. Attempts with the same token are one change. */
public final class Attempt {
    /** The name of the change, which is also its token. */
    public final String change;

    final ChangeTarget.Kind kind;
    final long delta;
    public final @Nullable IdempotencyToken token;
    final @Nullable String subject;
    final Change what;
    public final Commit commit;
    public int begun;
    public int ended = Integer.MAX_VALUE;

    @Nullable public Result<?> result;

    @Nullable public Throwable failure;

    private Attempt(
            ChangeTarget.Kind kind,
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

    public static Attempt add(String change, long delta, boolean withToken, Commit commit) {
        return new Attempt(ChangeTarget.Kind.COUNTER, change, delta, withToken, Change.ADDED, null, commit);
    }

    public static Attempt append(
            String change, boolean withToken, Change what, @Nullable String subject, Commit commit) {
        return new Attempt(ChangeTarget.Kind.SEQUENCE, change, what.delta(), withToken, what, subject, commit);
    }

    public CompletableFuture<Result<?>> send(CounterBackend backend) {
        return kind == ChangeTarget.Kind.COUNTER
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

    public ChangeTarget target() {
        return kind == ChangeTarget.Kind.COUNTER
                ? ChangeTarget.counter(World.NAME)
                : ChangeTarget.append(World.NAME, 0);
    }

    boolean isDone() {
        return result != null && result.isApplied();
    }

    /** Returns whether this attempt failed as not applied. */
    boolean isRefused() {
        return result != null
                ? result.isRetry() || result.failure() instanceof NotAppliedException
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
