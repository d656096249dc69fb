package io.counterkit.spi;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A store of counters and sequences, as {@link io.counterkit.Counters} uses it. To write a backend, implement this
 * interface and run the contract kit ({@code counter-tck}) against it; the rules are in {@code SPEC.md}.
 *
 * <p>Calls are asynchronous. A backend that is bound to the calling thread completes each future before it returns, and
 * declares that in {@link BatchLimits#callerRuns()}. Thread-safe.
 */
public interface CounterBackend extends AutoCloseable {
    /** Returns the capabilities of this backend. Called once. */
    Set<Capability> capabilities();

    /** Returns the counters. */
    CounterStore counters();

    /** Returns the sequences. */
    SequenceStore sequences();

    /**
     * Returns the operations that a migration needs. Called only if a seal capability or {@link Capability#IMPORT} is
     * declared.
     */
    default MigrationStore migration() {
        throw new UnsupportedOperationException("migration");
    }

    /**
     * Decides the outcome of a token. If a change with this token was applied, returns that change. Otherwise ensures
     * that none ever will be, not even one that is in flight, and returns {@link Resolution.NotApplied}. The decision
     * is remembered for the retention. If the future fails, the outcome stays unknown, and the caller may resolve
     * again.
     *
     * <p>For the token of a commit, the decision is about all requests that the token covers; for appends it may be
     * about the one at the target's index alone. If the commit is still in flight, these requests are then answered with
     * {@link Result#retry()}, or fail as not applied.
     *
     * @param token a caller's token, or a {@link Commit#token()}
     * @param target the counter or sequence that the commit changed; null for a caller's token. For a counter, any
     *     resolution that is {@linkplain Resolution#applied() applied} is accepted; for an append, the resolution
     *     contains the number of the entry at the target's index
     */
    CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call);

    /**
     * Returns the shortest time that a token is remembered, an hour or more. {@link io.counterkit.Counters} refuses a
     * deadline longer than half of it. Default 24 hours; override it if the retention is an option or the backend wraps
     * another.
     */
    default Duration retention() {
        return Duration.ofHours(24);
    }

    /**
     * Releases the backend's own resources and ends its listeners, but does not close a client that it was given. Does
     * not clear the interrupt flag of the calling thread. Idempotent.
     *
     * <p>Each call that is under way ends, by its deadline at the latest. A change that may be applied, now or later,
     * must not end as not applied.
     */
    @Override
    void close();
}
