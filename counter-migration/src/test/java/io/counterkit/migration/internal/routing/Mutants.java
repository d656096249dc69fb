package io.counterkit.migration.internal.routing;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NumberRange;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Migrations that leave out a rule, each with the scenario that finds it. */
public final class Mutants {
    /** Rule 1: the import is left to whoever comes later. */
    static final Mutant USES_THE_TARGET_BEFORE_THE_IMPORT = Mutant.with("imports nothing", ends -> new NameMover(ends) {
        @Override
        CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            return CompletableFuture.completedFuture(base);
        }
    });

    /** Rule 1: what was seen before the seal is imported, and nobody looks whether the seal was put. */
    static final Mutant DOES_NOT_READ_THE_SEAL = Mutant.with("does not read the seal", ends -> new NameMover(ends) {
        @Override
        CompletableFuture<NameState> seal(ChangeTarget.Kind kind, String name, Call call) {
            if (kind == ChangeTarget.Kind.COUNTER) {
                return super.seal(kind, name, call);
            }
            return ends.ask(call, () -> ends.source().sequences().tail(name, call))
                    .thenCompose(tail -> super.seal(kind, name, call)
                            .exceptionally(failure -> null)
                            .thenApply(state -> new NameState(
                                    tail.last() > 0,
                                    new Seal(ends.options().forward(), tail.last(), tail.liveCount()),
                                    Instant.EPOCH)));
        }

        @Override
        CompletableFuture<Boolean> checkSource(ChangeTarget.Kind kind, String name, Seal seal, Call call) {
            return CompletableFuture.completedFuture(true);
        }
    });

    /** Rule 1: an unknown name is not sealed. */
    static final Mutant LEAVES_UNKNOWN_NAMES_OPEN = Mutant.with("seals no unknown names", ends -> new NameMover(ends) {
        @Override
        public CompletableFuture<MoveRecord> move(ChangeTarget.Kind kind, String name, Call call) {
            return readState(kind, name, call)
                    .thenCompose(state -> state.isPresent() || state.seal() != null
                            ? super.move(kind, name, call)
                            : importBase(kind, name, new ImportedState("old", false, 0, 0), call)
                                    .thenApply(base -> new MoveRecord(base, 0)));
        }
    });

    /** Rule 2: a caller's token is not asked at the source. */
    static final Mutant FORGETS_TOKENS_FROM_BEFORE = new Mutant("forgets the source's tokens", ends -> {
        RoutingParts right = RoutingParts.of(ends);
        EarlierTokens wrong = new EarlierTokens(ends) {
            @Override
            <Q, T> CompletableFuture<List<Result<T>>> before(
                    List<Q> requests,
                    Function<Q, @Nullable IdempotencyToken> tokenOf,
                    MoveRecord moved,
                    Call call,
                    FirstResult<Q, T> first,
                    Supplier<CompletableFuture<List<Result<T>>>> atTarget) {
                return atTarget.get();
            }
        };
        return new RoutingParts(right.moves(), right.routing(), wrong, right.subjects(), right.entries());
    });

    /** Rule 2: a token is decided at one end, as it looks where the name is. */
    static final Mutant DECIDES_AT_THE_SOURCE_ONLY = new Mutant("decides tokens at the source only", ends -> {
        RoutingParts right = RoutingParts.of(ends);
        EarlierTokens wrong = new EarlierTokens(ends) {
            @Override
            public CompletableFuture<Resolution> resolve(
                    IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
                return ends.ask(call, () -> ends.source().resolve(token, origin, call));
            }
        };
        return new RoutingParts(right.moves(), right.routing(), wrong, right.subjects(), right.entries());
    });

    /** Rule 2: a token is decided at one end. */
    static final Mutant DECIDES_AT_THE_TARGET_ONLY = new Mutant("decides tokens at the target only", ends -> {
        RoutingParts right = RoutingParts.of(ends);
        EarlierTokens wrong = new EarlierTokens(ends) {
            @Override
            public CompletableFuture<Resolution> resolve(
                    IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
                return ends.ask(call, () -> ends.target().resolve(token, origin, call));
            }
        };
        return new RoutingParts(right.moves(), right.routing(), wrong, right.subjects(), right.entries());
    });

    /** Rule 3: subjects of the source are unknown to the target. */
    static final Mutant FORGETS_SUBJECTS = new Mutant("forgets the source's subjects", ends -> {
        RoutingParts right = RoutingParts.of(ends);
        Subjects wrong = new Subjects(ends) {
            @Override
            CompletableFuture<?> tell(String sequence, List<AppendRequest> requests, MoveRecord moved, Call call) {
                return CompletableFuture.completedFuture(true);
            }
        };
        return new RoutingParts(right.moves(), right.routing(), right.earlier(), wrong, right.entries());
    });

    /** Rule 3: entries that were not copied are not read. */
    static final Mutant READS_THE_TARGET_ONLY = new Mutant("reads entries at the target only", ends -> {
        RoutingParts right = RoutingParts.of(ends);
        MovedEntries wrong = new MovedEntries(ends) {
            @Override
            CompletableFuture<List<Entry>> read(String sequence, NumberRange range, MoveRecord moved, Call call) {
                return ends.ask(call, () -> ends.target().sequences().read(sequence, range, call));
            }
        };
        return new RoutingParts(right.moves(), right.routing(), right.earlier(), right.subjects(), wrong);
    });

    /** Rule 4: an erasure leaves room for a copy that was read before. */
    static final Mutant ERASES_WITHOUT_BRINGING_OVER = new Mutant("erases what a copy then brings back", ends -> {
        RoutingParts right = RoutingParts.of(ends);
        MovedEntries wrong = new MovedEntries(ends) {
            @Override
            CompletableFuture<Boolean> erase(String sequence, long number, MoveRecord moved, Commit commit) {
                return ends.ask(commit, () -> ends.source().sequences().erase(sequence, number, commit))
                        .thenCompose(erased ->
                                ends.ask(commit, () -> ends.target().sequences().erase(sequence, number, commit)))
                        .thenApply(erased -> true);
            }
        };
        return new RoutingParts(right.moves(), right.routing(), right.earlier(), right.subjects(), wrong);
    });

    /** Rule 4: an erasure is carried out at the target only. */
    static final Mutant ERASES_AT_THE_TARGET_ONLY = new Mutant("erases at the target only", ends -> {
        RoutingParts right = RoutingParts.of(ends);
        MovedEntries wrong = new MovedEntries(ends) {
            @Override
            CompletableFuture<Boolean> erase(String sequence, long number, MoveRecord moved, Commit commit) {
                return bringOver(sequence, number, commit)
                        .thenCompose(there ->
                                ends.ask(commit, () -> ends.target().sequences().erase(sequence, number, commit)));
            }
        };
        return new RoutingParts(right.moves(), right.routing(), right.earlier(), right.subjects(), wrong);
    });

    /** Rule 5: what a writer who knows no seals has done is not looked for. The model has no such writer. */
    public static final Mutant DOES_NOT_CHECK_THE_SOURCE =
            Mutant.with("does not check the source", ends -> new NameMover(ends) {
                @Override
                CompletableFuture<Boolean> checkSource(ChangeTarget.Kind kind, String name, Seal seal, Call call) {
                    return CompletableFuture.completedFuture(true);
                }
            });

    /** Reads: what was read at the source is taken for right without a look at the seal. */
    static final Mutant DOES_NOT_LOOK_AFTER_A_READ =
            Mutant.with("does not look after a read", ends -> new NameMover(ends) {
                @Override
                CompletableFuture<List<NameLocation>> lookAll(ChangeTarget.Kind kind, List<String> names, Call call) {
                    return CompletableFuture.completedFuture(
                            names.stream().map(name -> NameLocation.AT_SOURCE).toList());
                }

                @Override
                CompletableFuture<Optional<MoveRecord>> look(ChangeTarget.Kind kind, String name, Call call) {
                    return CompletableFuture.completedFuture(Optional.empty());
                }
            });

    /** All of them, and the rules that they break. */
    public static final Map<Mutant, String> ALL = Map.ofEntries(
            Map.entry(USES_THE_TARGET_BEFORE_THE_IMPORT, "rule 1"),
            Map.entry(DOES_NOT_READ_THE_SEAL, "rule 1"),
            Map.entry(LEAVES_UNKNOWN_NAMES_OPEN, "rule 1"),
            Map.entry(FORGETS_TOKENS_FROM_BEFORE, "rule 2"),
            Map.entry(DECIDES_AT_THE_SOURCE_ONLY, "rule 2"),
            Map.entry(DECIDES_AT_THE_TARGET_ONLY, "rule 2"),
            Map.entry(FORGETS_SUBJECTS, "rule 3"),
            Map.entry(READS_THE_TARGET_ONLY, "rule 3"),
            Map.entry(ERASES_WITHOUT_BRINGING_OVER, "rule 4"),
            Map.entry(ERASES_AT_THE_TARGET_ONLY, "rule 4"),
            Map.entry(DOES_NOT_LOOK_AFTER_A_READ, "reads"));

    private Mutants() {}
}
