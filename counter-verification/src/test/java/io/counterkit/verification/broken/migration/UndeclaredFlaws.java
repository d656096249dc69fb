package io.counterkit.verification.broken.migration;

import io.counterkit.Change;
import io.counterkit.NamedReading;
import io.counterkit.Seal;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Capabilities that a backend declares and does not have, or has and does not declare. */
public final class UndeclaredFlaws {
    private UndeclaredFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that(
                                "declares capabilities that it does not have",
                                "3.8",
                                "11.1",
                                "11.2",
                                "11.3",
                                "11.4",
                                "11.5",
                                "11.7",
                                "11.8",
                                "13.1",
                                "13.2",
                                "13.3",
                                "13.4",
                                "13.5",
                                "13.6",
                                "13.7",
                                "13.8",
                                "13.10")
                        .backend(UndeclaredFlaws::withoutAbilities),
                Flaw.that("has capabilities that it does not declare", "3.8", "11.1", "11.7", "13.1", "13.7", "13.10")
                        .backend(DeclaresNothing::new),
                Flaw.that("refuses an undeclared seal but stores it", "11.1", "11.7")
                        .backend(right -> new DeclaresNothing(refusingAndSealing(right))),
                Flaw.that(
                                "adds or appends when it refuses an undeclared seal",
                                "11.1",
                                "11.7",
                                "11.10",
                                "11.12",
                                "11.13")
                        .backend(right -> new DeclaresNothing(refusingAndChanging(right))));
    }

    /** Returns a correct backend without optional capabilities. */
    public static CounterBackend modest(CounterBackend right) {
        return new DeclaresNothing(withoutAbilities(right));
    }

    private static final class DeclaresNothing extends ForwardingCounterBackend {
        DeclaresNothing(CounterBackend right) {
            super(right);
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of();
        }
    }

    private static <T> CompletableFuture<T> unsupported() {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("not supported by this store"));
    }

    private static CounterBackend withoutAbilities(CounterBackend right) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
                return unsupported();
            }

            @Override
            public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
                return unsupported();
            }
        };
        ForwardingSequenceStore sequences = new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
                return unsupported();
            }
        };
        return new ForwardingCounterBackend(right, counters, sequences) {
            @Override
            public MigrationStore migration() {
                throw new UnsupportedOperationException("not supported by this store");
            }
        };
    }

    private static CounterBackend refusingAndSealing(CounterBackend right) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
                return store.seal(name, forward, commit).thenCompose(seal -> unsupported());
            }
        };
        return new ForwardingCounterBackend(right, counters, new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
                return store.seal(sequence, forward, commit).thenCompose(seal -> unsupported());
            }
        });
    }

    private static CounterBackend refusingAndChanging(CounterBackend right) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
                return store.add(List.of(new AddRequest(name, 1, null)), commit).thenCompose(added -> unsupported());
            }
        };
        return new ForwardingCounterBackend(right, counters, new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
                AppendRequest entry = new AppendRequest(Change.ADDED, null, Map.of(), null);
                return store.append(sequence, List.of(entry), commit).thenCompose(appended -> unsupported());
            }
        });
    }
}
