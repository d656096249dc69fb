package io.counterkit.migration.internal.routing;

import io.counterkit.CounterOverflowException;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import io.counterkit.spi.RecentlyUsed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Moves names. A name is at the source until a seal is read there and its state is imported at the target; then it is
 * at the target permanently. A process that finds a seal completes the move. Any process can repeat each step, and only
 * final results are cached. Thread-safe.
 */
public class NameMover {
    private static final int MOST_CACHED = 100_000;

    private final StorePair stores;
    private final RecentlyUsed<Name, MoveRecord> moved = new RecentlyUsed<>(MOST_CACHED);

    private final TargetCheck target;

    NameMover(StorePair stores) {
        this.stores = stores;
        this.target = new TargetCheck(stores);
    }

    record Name(ChangeTarget.Kind kind, String name) {}

    /** Returns the checks of the target before a move. */
    public final TargetCheck target() {
        return target;
    }

    /** Returns the cached record of a name that has moved, or null if nothing is known. */
    final @Nullable MoveRecord known(ChangeTarget.Kind kind, String name) {
        return moved.get(new Name(kind, name));
    }

    /** Moves a name, regardless of the rollout. */
    public CompletableFuture<MoveRecord> move(ChangeTarget.Kind kind, String name, Call call) {
        MoveRecord known = known(kind, name);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        return stores.sourceState(kind, name, call)
                .thenCompose(state -> state.seal() != null
                        ? complete(kind, name, state, call)
                        : target.check(kind, name, call)
                                .thenCompose(ok -> checkImports(name, call))
                                .thenCompose(ok -> seal(kind, name, call))
                                .thenCompose(sealedState -> complete(kind, name, sealedState, Optional.empty(), call)));
    }

    /** Completes the move of a name that is sealed. */
    CompletableFuture<MoveRecord> complete(ChangeTarget.Kind kind, String name, Call call) {
        return stores.sourceState(kind, name, call).thenCompose(state -> complete(kind, name, state, call));
    }

    private CompletableFuture<MoveRecord> complete(ChangeTarget.Kind kind, String name, NameState state, Call call) {
        return stores.bases(kind, List.of(name), call)
                .thenCompose(bases -> complete(kind, name, state, bases.get(0), call));
    }

    /** Completes the move of a name that is sealed. Imports its state unless {@code imported} is present. */
    CompletableFuture<MoveRecord> complete(
            ChangeTarget.Kind kind, String name, NameState state, Optional<ImportedState> imported, Call call) {
        Seal seal = state.seal();
        if (seal == null) {
            return CompletableFuture.failedFuture(
                    NotApplied.move(name, "the source is not sealed, so the target must not be used"));
        }
        if (!stores.isOurs(seal)) {
            return CompletableFuture.failedFuture(new SealedException(name, seal));
        }
        long last = kind == ChangeTarget.Kind.SEQUENCE ? seal.last() : 0;
        ImportedState expected =
                new ImportedState(stores.options().origin(), state.isPresent(), seal.liveCount(), last);
        return imported.map(CompletableFuture::completedFuture)
                .orElseGet(() -> checkSource(kind, name, seal, call)
                        .thenCompose(ok -> target.noting(kind, name, importBase(kind, name, expected, call), call)))
                .thenApply(base -> remember(kind, name, new MoveStatus(state, base)));
    }

    /**
     * Remembers and returns the record of a name that is sealed and imported.
     *
     * @throws NotAppliedException if this migration has not moved it, or has moved it in another state
     */
    public final MoveRecord remember(ChangeTarget.Kind kind, String name, MoveStatus status) {
        ImportedState base = Objects.requireNonNull(status.base(), "base");
        List<String> differences = new ArrayList<>();
        ImportCheck.compare(kind, status, stores.options(), differences::add);
        if (!differences.isEmpty()) {
            throw NotApplied.move(
                    name,
                    String.join("; ", differences)
                            + ". The names of source and target must be the same in every process; if they are, one of the"
                            + " stores was changed by other means");
        }
        MoveRecord record = new MoveRecord(base, stores.nanoTime());
        moved.put(new Name(kind, name), record);
        return record;
    }

    /**
     * Seals an open name, even an unused one, and returns the state that it reads afterwards. That state shows whether
     * the name is sealed, since the reply to the seal may be lost.
     */
    CompletableFuture<NameState> seal(ChangeTarget.Kind kind, String name, Call call) {
        Commit commit = stores.newCommit(call);
        String forward = stores.options().forward();
        CompletableFuture<Seal> reply = stores.send(
                commit,
                () -> kind == ChangeTarget.Kind.COUNTER
                        ? stores.source().counters().seal(name, forward, commit)
                        : stores.source().sequences().seal(name, forward, commit));
        return reply.thenApply(seal -> Optional.<Throwable>empty())
                .exceptionally(Optional::of)
                .thenCompose(failure -> stores.sourceState(kind, name, call)
                        .exceptionallyCompose(unread -> CompletableFuture.failedFuture(failure.<Throwable>map(
                                        first -> NotApplied.move(name, "sealing it at the source failed", first))
                                .orElse(unread)))
                        .thenApply(state -> checkSealed(name, state, failure)));
    }

    private static NameState checkSealed(String name, NameState state, Optional<Throwable> failure) {
        if (state.seal() == null) {
            throw failure.map(thrown -> NotApplied.move(name, "the source could not be sealed", thrown))
                    .orElseGet(() -> NotApplied.move(name, "the source accepted the seal but does not return it"));
        }
        return state;
    }

    /**
     * Checks, before a name is sealed permanently, that the target now imports a name that it did not import before. So
     * a target that imports nothing leaves few names sealed, and the others stay usable at the source.
     */
    private CompletableFuture<Boolean> checkImports(String name, Call call) {
        Name earlier = target.anyNotImported();
        if (earlier == null) {
            return CompletableFuture.completedFuture(true);
        }
        return complete(earlier.kind(), earlier.name(), call).handle((moved, failure) -> {
            if (failure != null && target.isNotImported(earlier)) {
                throw NotApplied.move(
                        name,
                        "nothing was sealed, since the target does not import '" + earlier.name()
                                + "', which is sealed",
                        failure);
            }
            return true;
        });
    }

    /** Checks, before the import, that the source still holds the state of its seal. Later writes would be lost. */
    CompletableFuture<Boolean> checkSource(ChangeTarget.Kind kind, String name, Seal seal, Call call) {
        return stores.send(call, () -> readLast(kind, name, seal, call)).thenApply(last -> {
            if (last != seal.last()) {
                throw NotApplied.move(
                        name,
                        "it was sealed at " + seal.last()
                                + " and now holds " + last + ", so a writer that ignores seals is still running."
                                + " Stop it, and restore the source to its seal");
            }
            return true;
        });
    }

    private CompletableFuture<Long> readLast(ChangeTarget.Kind kind, String name, Seal seal, Call call) {
        if (kind == ChangeTarget.Kind.SEQUENCE) {
            return stores.source().sequences().tail(name, call).thenApply(tail -> tail.last());
        }
        return stores.source()
                .counters()
                .read(List.of(name), Duration.ZERO, call)
                .thenApply(results -> results.get(0).failure() instanceof CounterOverflowException
                        ? seal.last() // a total that is out of range cannot be read, and is moved unchanged
                        : results.get(0).orThrow().value());
    }

    CompletableFuture<ImportedState> importBase(ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
        return stores.send(call, () -> stores.target().migration().importBase(kind, name, base, call));
    }
}
