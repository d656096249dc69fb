package io.counterkit.migration.internal.routing;

import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.CountersListener;
import io.counterkit.NotAppliedException;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Moves names, and knows which have moved. A name is at the source until a seal is read there and a base is in the
 * target; from then on it is at the target for good. Whoever meets a seal finishes what is missing. Each step can be
 * done again, by any process; nothing is remembered here but what is final. Thread-safe.
 */
public class NameMover {
    /** What a process remembers; of the rest it asks both stores again. */
    private static final int MOST_REMEMBERED = 100_000;

    private final StorePair ends;
    private final RecentlyUsed<Name, MoveRecord> known = new RecentlyUsed<>(MOST_REMEMBERED);

    NameMover(StorePair ends) {
        this.ends = ends;
    }

    private record Name(ChangeTarget.Kind kind, String name) {}

    /** What is remembered of a name that has moved; null says nothing. */
    final @Nullable MoveRecord known(ChangeTarget.Kind kind, String name) {
        return known.get(new Name(kind, name));
    }

    /**
     * Where a change goes. A name whose turn has come moves first, if nothing is in the way: one that was sealed with
     * another address ended at the source, which says so, or answers a token from before.
     *
     * @return empty for the source
     */
    CompletableFuture<Optional<MoveRecord>> placeOfChange(ChangeTarget.Kind kind, String name, Call call) {
        MoveRecord moved = known(kind, name);
        if (moved != null || !ends.options().rollout().hasTurn(kind, name)) {
            return CompletableFuture.completedFuture(Optional.ofNullable(moved));
        }
        return move(kind, name, call)
                .thenApply(Optional::of)
                .exceptionallyCompose(failure -> Futures.cause(failure) instanceof SealedException
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(failure));
    }

    /** Moves a name now, whether its turn has come or not. */
    public CompletableFuture<MoveRecord> move(ChangeTarget.Kind kind, String name, Call call) {
        MoveRecord moved = known(kind, name);
        if (moved != null) {
            return CompletableFuture.completedFuture(moved);
        }
        return readState(kind, name, call).thenCompose(state -> {
            if (state.seal() != null) {
                return finish(kind, name, state, call);
            }
            return vet(kind, name, call)
                    .thenCompose(ok -> seal(kind, name, call))
                    .thenCompose(read -> finish(kind, name, read, Optional.empty(), call));
        });
    }

    /** Looks where a name is, and finishes its move if it is sealed for the target. Seals nothing. */
    CompletableFuture<Optional<MoveRecord>> look(ChangeTarget.Kind kind, String name, Call call) {
        MoveRecord moved = known(kind, name);
        if (moved != null) {
            return CompletableFuture.completedFuture(Optional.of(moved));
        }
        return lookAll(kind, List.of(name), call).thenApply(found -> {
            NameLocation whereabouts = found.get(0);
            if (whereabouts.failure() != null) {
                throw whereabouts.failure();
            }
            return Optional.ofNullable(whereabouts.moved());
        });
    }

    /**
     * Looks where names are, in two calls however many there are, unless a move has to be finished or one of them is
     * corrupt, which spoils no other.
     */
    CompletableFuture<List<NameLocation>> lookAll(ChangeTarget.Kind kind, List<String> names, Call call) {
        return OneByOne.ask(names, some -> lookAtOnce(kind, some, call)).thenCompose(looks -> {
            List<CompletableFuture<NameLocation>> found = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i);
                found.add(looks.get(i).exceptionally(failure -> new NameLocation(null, unread(kind, name, failure))));
            }
            return Futures.all(found);
        });
    }

    private CompletableFuture<List<NameLocation>> lookAtOnce(ChangeTarget.Kind kind, List<String> names, Call call) {
        return ends.ask(call, () -> ends.source().migration().states(kind, names, call))
                .thenCompose(states -> {
                    List<Integer> ended = new ArrayList<>();
                    for (int i = 0; i < names.size(); i++) {
                        Seal seal = states.get(i).seal();
                        if (seal != null && ends.isOurs(seal)) {
                            ended.add(i);
                        }
                    }
                    return finishAll(kind, names, states, ended, call);
                });
    }

    private CompletableFuture<List<NameLocation>> finishAll(
            ChangeTarget.Kind kind, List<String> names, List<NameState> states, List<Integer> ended, Call call) {
        List<CompletableFuture<NameLocation>> found = new ArrayList<>();
        names.forEach(name -> found.add(CompletableFuture.completedFuture(NameLocation.AT_SOURCE)));
        if (ended.isEmpty()) {
            return Futures.all(found);
        }
        return basesOf(kind, ended.stream().map(names::get).toList(), call).thenCompose(bases -> {
            for (int i = 0; i < ended.size(); i++) {
                int at = ended.get(i);
                String name = names.get(at);
                found.set(
                        at,
                        finish(kind, name, states.get(at), bases.get(i), call)
                                .handle((moved, failure) -> failure == null
                                        ? new NameLocation(moved, null)
                                        : new NameLocation(null, unfinished(kind, name, failure))));
            }
            return Futures.all(found);
        });
    }

    /** Finishes the move of a name whose seal was met. */
    CompletableFuture<MoveRecord> finish(ChangeTarget.Kind kind, String name, Call call) {
        return readState(kind, name, call).thenCompose(state -> finish(kind, name, state, call));
    }

    private CompletableFuture<MoveRecord> finish(ChangeTarget.Kind kind, String name, NameState state, Call call) {
        return basesOf(kind, List.of(name), call).thenCompose(bases -> finish(kind, name, state, bases.get(0), call));
    }

    private CompletableFuture<MoveRecord> finish(
            ChangeTarget.Kind kind, String name, NameState state, Optional<ImportedState> imported, Call call) {
        Seal seal = state.seal();
        if (seal == null) {
            return CompletableFuture.failedFuture(new NotAppliedException(
                    "move of '" + name + "': no seal is at the source, so that it may not be used at the target"));
        }
        if (!ends.isOurs(seal)) {
            return CompletableFuture.failedFuture(new SealedException(name, seal));
        }
        long last = kind == ChangeTarget.Kind.SEQUENCE ? seal.last() : 0;
        ImportedState base = new ImportedState(ends.options().origin(), state.isPresent(), seal.liveCount(), last);
        CompletableFuture<ImportedState> begun = imported.isPresent()
                ? CompletableFuture.completedFuture(imported.get())
                : checkSource(kind, name, seal, call).thenCompose(ok -> importBase(kind, name, base, call));
        return begun.thenApply(found -> {
            if (!found.equals(base)) {
                throw new NotAppliedException("move of '" + name + "': the target began with " + found
                        + " and the source ended with " + base + "; one of the two is not what it was");
            }
            MoveRecord moved = new MoveRecord(base, ends.nanoTime());
            known.put(new Name(kind, name), moved);
            return moved;
        });
    }

    CompletableFuture<NameState> readState(ChangeTarget.Kind kind, String name, Call call) {
        return ends.ask(call, () -> ends.source().migration().states(kind, List.of(name), call))
                .thenApply(states -> states.get(0));
    }

    private CompletableFuture<List<Optional<ImportedState>>> basesOf(
            ChangeTarget.Kind kind, List<String> names, Call call) {
        return ends.ask(call, () -> ends.target().migration().bases(kind, names, call));
    }

    /**
     * Seals a name that is open, an unknown one too, and reads the state. Whether the call for the seal succeeded, failed
     * or lost its reply is of no account: what is read afterwards decides.
     */
    CompletableFuture<NameState> seal(ChangeTarget.Kind kind, String name, Call call) {
        Commit commit = new Commit(call.remaining(), ends.options().random(), CountersListener.disabled());
        String forward = ends.options().forward();
        CompletableFuture<Seal> put = ends.ask(
                commit,
                () -> kind == ChangeTarget.Kind.COUNTER
                        ? ends.source().counters().seal(name, forward, commit)
                        : ends.source().sequences().seal(name, forward, commit));
        return put.thenApply(seal -> Optional.<Throwable>empty())
                .exceptionally(Optional::of)
                .thenCompose(
                        failure -> readState(kind, name, call).thenApply(state -> checkTaken(name, state, failure)));
    }

    private static NameState checkTaken(String name, NameState state, Optional<Throwable> failure) {
        if (state.seal() == null) {
            String reason = failure.map(thrown -> "the source could not be sealed: " + Reasons.of(thrown))
                    .orElse("the source does not show the seal that it took");
            throw new NotAppliedException("move of '" + name + "': " + reason, failure.orElse(null));
        }
        return state;
    }

    /** Before a seal, which cannot be taken back: refuses a name that could not be imported after it. */
    private CompletableFuture<Boolean> vet(ChangeTarget.Kind kind, String name, Call call) {
        return ends.ask(call, () -> ends.target().migration().states(kind, List.of(name), call))
                .thenCombine(
                        basesOf(kind, List.of(name), call),
                        (states, bases) -> states.get(0).isPresent()
                                || states.get(0).seal() != null
                                || bases.get(0).isPresent())
                .thenCompose(inUse -> inUse
                        ? readState(kind, name, call).thenApply(state -> checkSealed(name, state))
                        : CompletableFuture.completedFuture(true));
    }

    /** Another process may have moved the name since it was seen to be open. */
    private static boolean checkSealed(String name, NameState state) {
        if (state.seal() == null) {
            throw new NotAppliedException("move of '" + name
                    + "': the target holds something under this name while the source is open; nothing was sealed."
                    + " Move to an empty place");
        }
        return true;
    }

    /**
     * Before the import: whether the source still holds what its seal says. If not, somebody who knows no seals has
     * written after it, and that would be lost.
     */
    CompletableFuture<Boolean> checkSource(ChangeTarget.Kind kind, String name, Seal seal, Call call) {
        return ends.ask(call, () -> contents(kind, name, seal, call)).thenApply(last -> {
            if (last != seal.last()) {
                throw new NotAppliedException("move of '" + name + "': it was sealed at " + seal.last()
                        + " and now holds " + last + ", so a writer that knows no seals is still at work."
                        + " Stop it, and bring the source back to its seal");
            }
            return true;
        });
    }

    private CompletableFuture<Long> contents(ChangeTarget.Kind kind, String name, Seal seal, Call call) {
        if (kind == ChangeTarget.Kind.SEQUENCE) {
            return ends.source().sequences().tail(name, call).thenApply(tail -> tail.last());
        }
        return ends.source().counters().read(List.of(name), Duration.ZERO, call).thenApply(results -> {
            Result<Reading> result = results.get(0);
            return result.failure() instanceof CounterOverflowException
                    ? seal.last() // out of range, as it was
                    : result.orThrow().value();
        });
    }

    CompletableFuture<ImportedState> importBase(ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
        return ends.ask(call, () -> ends.target().migration().importBase(kind, name, base, call));
    }

    private static CounterException unread(ChangeTarget.Kind kind, String name, Throwable failure) {
        return Futures.notApplied(
                failure, "the state of the " + StorePair.word(kind) + " '" + name + "' could not be read");
    }

    private static CounterException unfinished(ChangeTarget.Kind kind, String name, Throwable failure) {
        return Futures.notApplied(
                failure, "move of the " + StorePair.word(kind) + " '" + name + "' could not be finished");
    }
}
