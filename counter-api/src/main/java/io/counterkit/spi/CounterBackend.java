package io.counterkit.spi;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A store as {@link io.counterkit.Counters} uses it. Implement this, and prove it with the contract kit
 * ({@code counter-tck}); the rules are in its {@code SPEC.md}.
 *
 * <p>Calls are asynchronous; a backend that is bound to the calling thread answers before it returns and says so in
 * {@link BatchLimits#callerRuns()}. Thread-safe.
 */
public interface CounterBackend extends AutoCloseable {
    /** The optional abilities that this backend has. Asked once. */
    Set<Capability> capabilities();

    /** Its counters. */
    CounterStore counters();

    /** Its sequences. */
    SequenceStore sequences();

    /** What it does for migrations. Called only where it declares a seal or {@link Capability#IMPORT}. */
    default MigrationStore migration() {
        throw new UnsupportedOperationException("migration");
    }

    /**
     * Decides what became of a token. If a change was applied under it, says which. If not, makes sure that none ever
     * will be, not even one that is still on its way, and then says {@link Resolution.NotApplied}. A decision stands
     * for the retention. It concerns the whole commit: the others whose change was covered by the same token are then
     * answered {@link Result#retry()}, if the commit is still on its way.
     *
     * @param token a caller's token, or a {@link Commit#token()}
     * @param origin where the change went, for the token of a commit; null for a caller's token. For the token of a
     *     commit any resolution that says applied will do for a change of a counter; for an append, the number of that
     *     request is asked for
     */
    CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call);

    /**
     * How long a token is remembered at least, as the backend is configured. {@link io.counterkit.Counters} refuses a
     * deadline of more than half of it. Default 24 hours; override it where that is an option, and in a backend that
     * wraps another.
     */
    default Duration retention() {
        return Duration.ofHours(24);
    }

    /** Frees what the backend itself holds; not the client that it was made from. Does nothing the second time. */
    @Override
    void close();
}
