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

/** Migrations that break a rule each. */
public final class Mutants {
    /** Rule 1: the import is left to a later process. */
    static final Mutant USES_THE_TARGET_BEFORE_THE_IMPORT = Mutant.with("imports nothing", pair -> new NameMover(pair) {
        @Override
        CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            return CompletableFuture.completedFuture(base);
        }
    });

    /** Rule 1: the state from before the seal is imported, and the seal is not read. */
    static final Mutant DOES_NOT_READ_THE_SEAL = Mutant.with("does not read the seal", pair -> new NameMover(pair) {
        @Override
        CompletableFuture<NameState> seal(ChangeTarget.Kind kind, String name, Call call) {
            if (kind == ChangeTarget.Kind.COUNTER) {
                return super.seal(kind, name, call);
            }
            return pair.send(call, () -> pair.source().sequences().tail(name, call))
                    .thenCompose(tail -> super.seal(kind, name, call)
                            .exceptionally(failure -> null)
                            .thenApply(state -> new NameState(
                                    tail.last() > 0,
                                    new Seal(pair.options().forward(), tail.last(), tail.liveCount()),
                                    Instant.EPOCH)));
        }

        @Override
        CompletableFuture<Boolean> checkSource(ChangeTarget.Kind kind, String name, Seal seal, Call call) {
            return CompletableFuture.completedFuture(true);
        }
    });

    /** Rule 1: an unused name is not sealed. */
    static final Mutant LEAVES_UNKNOWN_NAMES_OPEN = Mutant.with("seals no unknown names", pair -> new NameMover(pair) {
        @Override
        public CompletableFuture<MoveRecord> move(ChangeTarget.Kind kind, String name, Call call) {
            return pair.sourceState(kind, name, call)
                    .thenCompose(state -> state.isPresent() || state.seal() != null
                            ? super.move(kind, name, call)
                            : importBase(kind, name, new ImportedState("old", false, 0, 0), call)
                                    .thenApply(base -> new MoveRecord(base, 0)));
        }
    });

    /** Rule 2: a caller's token is not resolved at the source. */
    static final Mutant FORGETS_TOKENS_FROM_BEFORE = new Mutant("forgets the source's tokens", pair -> {
        RoutingParts right = RoutingParts.of(pair);
        SourceTokens wrong = new SourceTokens(pair) {
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
        return new RoutingParts(right.mover(), right.locator(), wrong, right.subjects(), right.entries());
    });

    /** Rule 2: a token is decided at the source only. */
    static final Mutant DECIDES_AT_THE_SOURCE_ONLY = new Mutant("decides tokens at the source only", pair -> {
        RoutingParts right = RoutingParts.of(pair);
        SourceTokens wrong = new SourceTokens(pair) {
            @Override
            public CompletableFuture<Resolution> resolve(
                    IdempotencyToken token, @Nullable ChangeTarget changed, Call call) {
                return pair.send(call, () -> pair.source().resolve(token, changed, call));
            }
        };
        return new RoutingParts(right.mover(), right.locator(), wrong, right.subjects(), right.entries());
    });

    /** Rule 2: a token is decided at the target only. */
    static final Mutant DECIDES_AT_THE_TARGET_ONLY = new Mutant("decides tokens at the target only", pair -> {
        RoutingParts right = RoutingParts.of(pair);
        SourceTokens wrong = new SourceTokens(pair) {
            @Override
            public CompletableFuture<Resolution> resolve(
                    IdempotencyToken token, @Nullable ChangeTarget changed, Call call) {
                return pair.send(call, () -> pair.target().resolve(token, changed, call));
            }
        };
        return new RoutingParts(right.mover(), right.locator(), wrong, right.subjects(), right.entries());
    });

    /** Rule 3: the target does not know the subjects of the source. */
    static final Mutant FORGETS_SUBJECTS = new Mutant("forgets the source's subjects", pair -> {
        RoutingParts right = RoutingParts.of(pair);
        SubjectImporter wrong = new SubjectImporter(pair) {
            @Override
            CompletableFuture<?> importAll(String sequence, List<AppendRequest> requests, MoveRecord moved, Call call) {
                return CompletableFuture.completedFuture(true);
            }
        };
        return new RoutingParts(right.mover(), right.locator(), right.sourceTokens(), wrong, right.entries());
    });

    /** Rule 3: entries that were not copied are not read. */
    static final Mutant READS_THE_TARGET_ONLY = new Mutant("reads entries at the target only", pair -> {
        RoutingParts right = RoutingParts.of(pair);
        MovedEntries wrong = new MovedEntries(pair) {
            @Override
            CompletableFuture<List<Entry>> read(String sequence, NumberRange range, MoveRecord moved, Call call) {
                return pair.send(call, () -> pair.target().sequences().read(sequence, range, call));
            }
        };
        return new RoutingParts(right.mover(), right.locator(), right.sourceTokens(), right.subjects(), wrong);
    });

    /** Rule 4: an erased entry can be restored by a copy that was read before. */
    static final Mutant ERASES_WITHOUT_COPYING = new Mutant("erases what a copy then brings back", pair -> {
        RoutingParts right = RoutingParts.of(pair);
        MovedEntries wrong = new MovedEntries(pair) {
            @Override
            CompletableFuture<Boolean> erase(String sequence, long number, MoveRecord moved, Commit commit) {
                return pair.send(commit, () -> pair.source().sequences().erase(sequence, number, commit))
                        .thenCompose(erased -> pair.send(
                                commit, () -> pair.target().sequences().erase(sequence, number, commit)))
                        .thenApply(erased -> true);
            }
        };
        return new RoutingParts(right.mover(), right.locator(), right.sourceTokens(), right.subjects(), wrong);
    });

    /** Rule 4: an entry is erased at the target only. */
    static final Mutant ERASES_AT_THE_TARGET_ONLY = new Mutant("erases at the target only", pair -> {
        RoutingParts right = RoutingParts.of(pair);
        MovedEntries wrong = new MovedEntries(pair) {
            @Override
            CompletableFuture<Boolean> erase(String sequence, long number, MoveRecord moved, Commit commit) {
                return copy(sequence, number, commit)
                        .thenCompose(there -> pair.send(
                                commit, () -> pair.target().sequences().erase(sequence, number, commit)));
            }
        };
        return new RoutingParts(right.mover(), right.locator(), right.sourceTokens(), right.subjects(), wrong);
    });

    /** Rule 5: writes after the seal are not detected. The model has no writer that ignores seals. */
    public static final Mutant DOES_NOT_CHECK_THE_SOURCE =
            Mutant.with("does not check the source", pair -> new NameMover(pair) {
                @Override
                CompletableFuture<Boolean> checkSource(ChangeTarget.Kind kind, String name, Seal seal, Call call) {
                    return CompletableFuture.completedFuture(true);
                }
            });

    /** Reads: a result of the source is returned without checking for a seal. */
    static final Mutant DOES_NOT_LOCATE_AFTER_A_READ = new Mutant("does not locate after a read", pair -> {
        RoutingParts right = RoutingParts.of(pair);
        NameLocator wrong = new NameLocator(pair, right.mover()) {
            @Override
            CompletableFuture<List<NameLocation>> locateAll(ChangeTarget.Kind kind, List<String> names, Call call) {
                return CompletableFuture.completedFuture(
                        names.stream().map(name -> NameLocation.AT_SOURCE).toList());
            }

            @Override
            CompletableFuture<Optional<MoveRecord>> locate(ChangeTarget.Kind kind, String name, Call call) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
        };
        return new RoutingParts(right.mover(), wrong, right.sourceTokens(), right.subjects(), right.entries());
    });

    /** All mutants with the rules that they break. */
    public static final Map<Mutant, String> ALL = Map.ofEntries(
            Map.entry(USES_THE_TARGET_BEFORE_THE_IMPORT, "rule 1"),
            Map.entry(DOES_NOT_READ_THE_SEAL, "rule 1"),
            Map.entry(LEAVES_UNKNOWN_NAMES_OPEN, "rule 1"),
            Map.entry(FORGETS_TOKENS_FROM_BEFORE, "rule 2"),
            Map.entry(DECIDES_AT_THE_SOURCE_ONLY, "rule 2"),
            Map.entry(DECIDES_AT_THE_TARGET_ONLY, "rule 2"),
            Map.entry(FORGETS_SUBJECTS, "rule 3"),
            Map.entry(READS_THE_TARGET_ONLY, "rule 3"),
            Map.entry(ERASES_WITHOUT_COPYING, "rule 4"),
            Map.entry(ERASES_AT_THE_TARGET_ONLY, "rule 4"),
            Map.entry(DOES_NOT_LOCATE_AFTER_A_READ, "reads"));

    private Mutants() {}
}
