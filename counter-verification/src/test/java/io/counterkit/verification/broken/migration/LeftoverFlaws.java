package io.counterkit.verification.broken.migration;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Joined;
import io.counterkit.verification.broken.flaw.WithMigration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapters 4, 11 and 13, continued: what a resolution, a refusal or a deletion leaves, and an import finds later. */
public final class LeftoverFlaws {
    private static final Duration TIME = Duration.ofSeconds(20);

    private LeftoverFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("imports a counter again that was deleted since it looked for an import", "13.11")
                        .migration(ConcurrentHashMap::<String>newKeySet, ImportsTheDeleted::new),
                Flaw.that("forgets with a deletion that a counter was imported as absent", "13.5")
                        .backend(ConcurrentHashMap::<String>newKeySet, LeftoverFlaws::forgetting),
                resolving("takes a counter for one in use whose commit was resolved", Kind.COUNTER, "4.12"),
                resolving("takes a sequence for one in use whose commit was resolved", Kind.SEQUENCE, "4.13"),
                Flaw.that("renews the time of the seal of a sequence when it refuses an append", "11.12")
                        .backend(ConcurrentHashMap<String, Instant>::new, LeftoverFlaws::renewing),
                Flaw.that("renews the time of the seal of a sequence when it erases an entry", "4.13")
                        .backend(ConcurrentHashMap<String, Instant>::new, LeftoverFlaws::renewingWithErasures));
    }

    /** Looks for an import, and later adds the imported total if the counter is absent. */
    private static final class ImportsTheDeleted extends ForwardingMigrationStore {
        private final CounterBackend right;
        private final Set<String> imported;

        ImportsTheDeleted(CounterBackend right, Set<String> imported) {
            super(right.migration());
            this.right = right;
            this.imported = imported;
        }

        @Override
        public CompletableFuture<ImportedState> importBase(Kind kind, String name, ImportedState base, Call call) {
            if (kind == Kind.SEQUENCE || !base.isPresent()) {
                return store.importBase(kind, name, base, call);
            }
            return store.bases(kind, List.of(name), call)
                    .thenCompose(found -> found.get(0)
                            .map(Futures::done)
                            .orElseGet(() -> store.importBase(kind, name, base, call)
                                    .thenCompose(first -> imported.add(name)
                                            ? Futures.done(first)
                                            : addIfAbsent(name, first, call))));
        }

        private CompletableFuture<ImportedState> addIfAbsent(String name, ImportedState base, Call call) {
            AddRequest add = new AddRequest(name, base.value(), null);
            return store.states(Kind.COUNTER, List.of(name), call)
                    .thenCompose(states -> states.get(0).isPresent()
                            ? Futures.done(List.of())
                            : right.counters().add(List.of(add), Commits.lasting(TIME)))
                    .handle((added, failure) -> base);
        }
    }

    private static CounterBackend forgetting(CounterBackend right, Set<String> deleted) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<Void> delete(String name, Commit commit) {
                return store.delete(name, commit).thenRun(() -> deleted.add(name));
            }
        };
        MigrationStore migration = new ForwardingMigrationStore(right.migration()) {
            @Override
            public CompletableFuture<ImportedState> importBase(Kind kind, String name, ImportedState base, Call call) {
                return store.importBase(kind, name, base, call).thenCompose(first -> {
                    if (first.isPresent() || !base.isPresent() || !deleted.contains(name)) {
                        return Futures.done(first);
                    }
                    AddRequest add = new AddRequest(name, base.value(), null);
                    return right.counters()
                            .add(List.of(add), Commits.lasting(TIME))
                            .handle((added, failure) -> base);
                });
            }
        };
        return new WithMigration(right, counters, right.sequences(), migration);
    }

    /** Notes the names of this kind whose commits were resolved as not applied, and imports none of them. */
    private static Flaw resolving(String does, Kind kind, String breaks) {
        return Flaw.that(does, breaks).backend(ConcurrentHashMap::<String>newKeySet, (right, used) -> {
            MigrationStore migration = new ForwardingMigrationStore(right.migration()) {
                @Override
                public CompletableFuture<ImportedState> importBase(
                        Kind of, String name, ImportedState base, Call call) {
                    return store.bases(of, List.of(name), call)
                            .thenCompose(found -> of == kind && found.get(0).isEmpty() && used.contains(name)
                                    ? CompletableFuture.failedFuture(
                                            new NotAppliedException("'" + name + "' is in use"))
                                    : store.importBase(of, name, base, call));
                }
            };
            CounterBackend importing = new WithMigration(right, right.counters(), right.sequences(), migration);
            return new ForwardingCounterBackend(importing) {
                @Override
                public CompletableFuture<Resolution> resolve(
                        IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
                    return backend.resolve(token, target, call).thenApply(resolution -> {
                        if (target != null && target.kind() == kind && !resolution.applied()) {
                            used.add(target.name());
                        }
                        return resolution;
                    });
                }
            };
        });
    }

    private static CounterBackend renewingWithErasures(CounterBackend right, Map<String, Instant> times) {
        return renewed(right, times, new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
                return store.erase(sequence, number, commit).thenApply(isErased -> {
                    times.put(sequence, Instant.now().plusMillis(1));
                    return isErased;
                });
            }
        });
    }

    private static CounterBackend renewing(CounterBackend right, Map<String, Instant> times) {
        return renewed(right, times, new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                return store.append(sequence, requests, commit).thenApply(results -> {
                    if (results.stream().anyMatch(result -> result.failure() instanceof SealedException)) {
                        times.put(sequence, Instant.now());
                    }
                    return results;
                });
            }
        });
    }

    /** Returns a backend that shows these times of seals. */
    private static CounterBackend renewed(CounterBackend right, Map<String, Instant> times, SequenceStore sequences) {
        MigrationStore migration = new ForwardingMigrationStore(right.migration()) {
            @Override
            public CompletableFuture<List<NameState>> states(Kind kind, List<String> names, Call call) {
                return store.states(kind, names, call)
                        .thenApply(states -> kind == Kind.COUNTER
                                ? states
                                : Joined.of(names, states, (name, state) -> renewed(state, times.get(name))));
            }
        };
        return new WithMigration(right, right.counters(), sequences, migration);
    }

    private static NameState renewed(NameState state, @Nullable Instant time) {
        return time == null ? state : new NameState(state.isPresent(), state.seal(), time);
    }
}
