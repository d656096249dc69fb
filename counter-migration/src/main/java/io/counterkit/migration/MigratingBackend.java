package io.counterkit.migration;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.migration.internal.routing.Futures;
import io.counterkit.migration.internal.routing.MigratingCounters;
import io.counterkit.migration.internal.routing.MigratingSequences;
import io.counterkit.migration.internal.routing.MoveRecord;
import io.counterkit.migration.internal.routing.MoveStatus;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Two stores in the place of one: moves counters and sequences from a source to a target while any number of processes
 * use them, without a pause and without losing or repeating a change or a number. Thread-safe.
 *
 * <p>A name moves in two steps. It is <em>sealed</em> at the source: from then on nothing can be changed there, and
 * whoever tries is told where the name lives on. Then the target lets it begin with what the source ended with, once.
 * Any process may do either step, at any time, and finishes what it finds begun; so a process that dies leaves nothing
 * that another has to wait for. A name moves
 *
 * <ul>
 *   <li>before a change, once its turn has come: see {@link Rollout}; or
 *   <li>when {@link #move} is called, as a batch job does for all names.
 * </ul>
 *
 * <p>Reading moves nothing. Entries of a sequence stay at the source unless they are copied, and are read from there.
 *
 * <h2>Before the first name moves</h2>
 *
 * <p>Every process that writes to the source has to know seals, which any backend of this library does that declares
 * them. One that runs with the source alone is refused with a {@link io.counterkit.SealedException} once it meets a
 * seal, which names the target; nothing is lost, and it goes on when it runs with this backend. What it reads stays as it
 * was at the seal, and a token that it resolves as not applied is so at the source only. An erasure is not refused, and is
 * one at the source only: {@link MigrationJob} tells what becomes of a copy. What a writer of another kind
 * adds would be lost; if it is seen to have written after the seal, the name is not imported.
 *
 * <h2>The way back</h2>
 *
 * <p>Until a name is sealed it is used at the source alone, and the application may go back to the source. Lowering the
 * percentage stops further moves. A name that was sealed does not go back: its seal is final, and what is added at the
 * target from then on is there only. (To go back all the same, migrate the other way, to a store that is empty.)
 *
 * <h2>Abilities</h2>
 *
 * <p>It declares no {@link Capability}. Names cannot be sealed by the application meanwhile, because a seal means here that
 * a name has moved; one that was sealed with another address before stays at the source as it is, and {@link #move}
 * refuses it, naming that address. The largest counters of two stores are not the largest of all. Where the source can
 * seal only one kind, names of the other stay at the source, and {@link #move} refuses them with that reason.
 *
 * <p>Where one of the two stores is bound to the calling thread, so is this one, which then waits there for the other.
 */
public final class MigratingBackend implements CounterBackend {
    private final StorePair ends;
    private final RoutingParts parts;
    private final Timers timers = Timers.named("counterkit-migration");

    private MigratingBackend(StorePair ends, RoutingParts parts) {
        this.ends = ends;
        this.parts = parts;
    }

    /**
     * Creates one over two backends, which it closes when it is closed.
     *
     * @param source where the names are now; it has to be able to seal counters or sequences
     * @param target where they go; it has to be able to {@linkplain Capability#IMPORT import} them, and to hold nothing
     *     under their names
     * @throws IllegalArgumentException if one of the two lacks an ability, naming it
     */
    public static MigratingBackend create(CounterBackend source, CounterBackend target, MigrationOptions options) {
        StorePair ends = new StorePair(source, target, options, options.nanoTime());
        return with(ends, RoutingParts.of(ends));
    }

    /** For this module alone: its tests replace parts by wrong ones. */
    @SuppressWarnings("exports")
    public static MigratingBackend with(StorePair ends, RoutingParts parts) {
        return new MigratingBackend(ends, parts);
    }

    /** Where the names come from. */
    public CounterBackend source() {
        return ends.source();
    }

    /** Where they go. */
    public CounterBackend target() {
        return ends.target();
    }

    /** How they move. */
    public MigrationOptions options() {
        return ends.options();
    }

    /** Whether names of this kind can move, because the source can seal them. */
    public boolean canMove(ChangeTarget.Kind kind) {
        return ends.canSeal(kind);
    }

    /**
     * Moves a name now, whether its turn has come or not, an unused one too; does nothing if it has moved. May be called
     * again after any failure, by any process.
     *
     * @return what the target began with
     * @throws UnsupportedOperationException in the future, if the source cannot seal names of this kind
     * @throws io.counterkit.SealedException in the future, if the name was sealed with another address than that of this
     *     migration: it ended there
     * @throws io.counterkit.NotAppliedException in the future, if the name has not moved, or may have been sealed only: with
     *     the reason, such as that the target holds something under this name already
     */
    public CompletableFuture<ImportedState> move(ChangeTarget.Kind kind, String name, Call call) {
        if (!ends.canSeal(kind)) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException("move of '" + name
                    + "': the source cannot "
                    + (kind == ChangeTarget.Kind.COUNTER ? Capability.SEAL_COUNTERS : Capability.SEAL_SEQUENCES)
                            .ability()
                    + ", so they stay there"));
        }
        return Futures.beforehand(parts.moves().move(kind, name, call), "move of '" + name + "'")
                .thenApply(MoveRecord::base);
    }

    /**
     * How far names have come, in their order. Changes nothing.
     *
     * @throws io.counterkit.NotAppliedException in the future, if one of the stores could not be read
     */
    CompletableFuture<List<MoveStatus>> standings(ChangeTarget.Kind kind, List<String> names, Call call) {
        CompletableFuture<List<MoveStatus>> read = ends.ask(
                        call, () -> ends.source().migration().states(kind, names, call))
                .thenCompose(states -> ends.ask(
                                call, () -> ends.target().migration().bases(kind, names, call))
                        .thenApply(bases -> {
                            List<MoveStatus> standings = new ArrayList<>();
                            for (int i = 0; i < names.size(); i++) {
                                standings.add(new MoveStatus(
                                        states.get(i), bases.get(i).orElse(null)));
                            }
                            return standings;
                        }));
        return Futures.beforehand(read, "reading how far " + StorePair.word(kind) + "s have moved");
    }

    /** Timers of the jobs and verifiers over this backend. */
    Timers timers() {
        return timers;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public CounterStore counters() {
        return new MigratingCounters(ends, parts);
    }

    @Override
    public SequenceStore sequences() {
        return new MigratingSequences(ends, parts);
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
        return parts.earlier().resolve(token, origin, call);
    }

    /** The shorter of the two: a token may be decided at either end. */
    @Override
    public Duration retention() {
        Duration source = ends.source().retention();
        Duration target = ends.target().retention();
        return source.compareTo(target) < 0 ? source : target;
    }

    /** Closes both backends. Jobs and verifiers that still run over this one fail. */
    @Override
    public void close() {
        timers.close();
        try {
            ends.source().close();
        } finally {
            ends.target().close();
        }
    }
}
