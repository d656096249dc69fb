package io.counterkit.migration;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.migration.internal.routing.MigratingCounters;
import io.counterkit.migration.internal.routing.MigratingSequences;
import io.counterkit.migration.internal.routing.MoveRecord;
import io.counterkit.migration.internal.routing.MoveStatus;
import io.counterkit.migration.internal.routing.NotApplied;
import io.counterkit.migration.internal.routing.RoutingParts;
import io.counterkit.migration.internal.routing.StorePair;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Moves counters and sequences from a source to a target while any number of processes use them, without a pause and
 * without losing or repeating a change or a number. Thread-safe.
 *
 * <p>A name moves in two steps. First it is <em>sealed</em> at the source: every later change there is refused, and the
 * refusal names the target. Then the final state of the source is imported at the target, once. Any process may do
 * either step at any time, and completes a move that another process has started, so a process that dies does not block
 * others. A name moves
 *
 * <ul>
 *   <li>before a change, if the {@link Rollout} includes it; or
 *   <li>when {@link #move} is called, as {@link MigrationJob} does for all names.
 * </ul>
 *
 * <p>Both stores must be reachable as soon as the first process runs: a token is resolved at the target and at the
 * source, even if no name has moved.
 *
 * <p>Reads do not move names. Entries of a sequence stay at the source unless they are copied, and are read from there.
 *
 * <h2>Before the first name moves</h2>
 *
 * <p>Every process that writes to the source must respect seals, as every backend of this library does that can set
 * them. A process that runs with the source alone gets a {@link io.counterkit.SealedException} that names the target
 * once a name is sealed. Nothing is lost; restart it with this backend. Until then it reads the state at the seal, and
 * a token that it resolves as not applied may still be applied at the target. Its erasures are not refused, and take
 * effect at the source only: see {@link MigrationJob}. Writes of software that ignores seals would be lost; if such a
 * write is found after the seal, the name is not imported.
 *
 * <h2>Returning to the source</h2>
 *
 * <p>A name is used only at the source until it is sealed, so until then the application can run with the source alone
 * again. Lowering the percentage stops further moves. A sealed name does not move back: its seal is final, and later
 * changes are at the target only. (To move back, migrate in the other direction, to an empty store.)
 *
 * <h2>Limitations</h2>
 *
 * <p>This backend declares no {@link Capability}. The application cannot seal names, since a seal means that a name has
 * moved. A name that was sealed before with another address stays at the source; {@link #move} refuses it and states
 * that address. The largest counters cannot be listed across two stores. If the source can seal only one kind, names of
 * the other kind stay at the source, and {@link #move} refuses them.
 *
 * <p>If one of the stores is bound to the calling thread, so is this backend: it then blocks that thread during calls
 * of the other store.
 */
public final class MigratingBackend implements CounterBackend {
    private final StorePair stores;
    private final RoutingParts parts;
    private final Timers timers = Timers.named("counterkit-migration");

    /** Creates a backend of these parts. */
    MigratingBackend(StorePair stores, RoutingParts parts) {
        this.stores = stores;
        this.parts = parts;
    }

    /**
     * Creates a backend over two backends, which it closes when it is closed.
     *
     * @param source the store of the names; it can seal counters or sequences
     * @param target the store to move them to; it can {@linkplain Capability#IMPORT import} names and holds none of
     *     them
     * @throws IllegalArgumentException if a store lacks a capability; the message names it
     */
    public static MigratingBackend create(CounterBackend source, CounterBackend target, MigrationOptions options) {
        StorePair stores = new StorePair(source, target, options, options.nanoTime());
        return new MigratingBackend(stores, RoutingParts.of(stores));
    }

    /** Returns the store that names move from. */
    public CounterBackend source() {
        return stores.source();
    }

    /** Returns the store that names move to. */
    public CounterBackend target() {
        return stores.target();
    }

    /** Returns the options. */
    public MigrationOptions options() {
        return stores.options();
    }

    /** Returns whether the source can seal names of this kind, so that they can move. */
    public boolean canMove(ChangeTarget.Kind kind) {
        return stores.canSeal(kind);
    }

    /**
     * Moves a name now, even an unused one, regardless of the rollout. Does nothing if it has moved. Any process may
     * repeat the call after any failure.
     *
     * @return the state that was imported
     * @throws UnsupportedOperationException in the future, if the source cannot seal names of this kind
     * @throws io.counterkit.SealedException in the future, if the name was sealed with an address other than this
     *     migration's
     * @throws io.counterkit.NotAppliedException in the future, if the name was not moved, or was only sealed; the
     *     message has the reason, such as that the target already holds the name
     */
    public CompletableFuture<ImportedState> move(ChangeTarget.Kind kind, String name, Call call) {
        if (!stores.canSeal(kind)) {
            Capability missing =
                    kind == ChangeTarget.Kind.COUNTER ? Capability.SEAL_COUNTERS : Capability.SEAL_SEQUENCES;
            return CompletableFuture.failedFuture(new UnsupportedOperationException(
                    "move of '" + name + "': the source cannot " + missing.ability() + ", so they stay there"));
        }
        return NotApplied.ifFailed(parts.mover().move(kind, name, call), "move of '" + name + "'")
                .thenApply(MoveRecord::base);
    }

    /**
     * Returns the progress of names, in their order. Changes nothing.
     *
     * @throws io.counterkit.NotAppliedException in the future, if a store could not be read
     */
    CompletableFuture<List<MoveStatus>> statuses(ChangeTarget.Kind kind, List<String> names, Call call) {
        CompletableFuture<List<MoveStatus>> statuses = stores.sourceStates(kind, names, call)
                .thenCompose(states -> stores.bases(kind, names, call)
                        .thenApply(bases -> IntStream.range(0, names.size())
                                .mapToObj(i -> new MoveStatus(
                                        states.get(i), bases.get(i).orElse(null)))
                                .toList()));
        return NotApplied.ifFailed(statuses, "reading the progress of the " + StorePair.noun(kind) + "s");
    }

    /**
     * Checks that a name that is sealed and imported was moved by this migration.
     *
     * @throws io.counterkit.NotAppliedException if the processes of this migration would refuse the name
     */
    void checkMoved(ChangeTarget.Kind kind, String name, MoveStatus status) {
        MoveRecord unused = parts.mover().remember(kind, name, status);
    }

    /**
     * Checks that the target can import a name that has not moved. Changes nothing.
     *
     * @throws io.counterkit.NotAppliedException in the future, if it cannot or a store could not be read
     */
    CompletableFuture<Boolean> checkTarget(ChangeTarget.Kind kind, String name, Call call) {
        return NotApplied.ifFailed(parts.mover().target().check(kind, name, call), "move of '" + name + "'");
    }

    /** Returns the timers of the jobs and verifiers over this backend. */
    Timers timers() {
        return timers;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public CounterStore counters() {
        return new MigratingCounters(stores, parts);
    }

    @Override
    public SequenceStore sequences() {
        return new MigratingSequences(stores, parts);
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget changed, Call call) {
        return parts.sourceTokens().resolve(token, changed, call);
    }

    /** Returns the shorter retention, since a token may be resolved at either store. */
    @Override
    public Duration retention() {
        Duration source = stores.source().retention();
        Duration target = stores.target().retention();
        return source.compareTo(target) < 0 ? source : target;
    }

    /** Closes both backends. Jobs and verifiers that are running fail. */
    @Override
    public void close() {
        timers.close();
        try {
            stores.source().close();
        } finally {
            stores.target().close();
        }
    }
}
