package io.counterkit.verification.broken.reading;

import io.counterkit.Reading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Listening;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Listeners;
import io.counterkit.verification.broken.flaw.LiveListening;
import io.counterkit.verification.broken.flaw.WithMigration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Chapter 3, listeners of counters: backends that report changes to them, but not each change to each of them. */
public final class CounterListenerFlaws {
    private static final int LIMIT = 30;
    private static final int CHANGES = 100;
    private static final int COLUMN = 63;

    private CounterListenerFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                flaw("reports no resets to listeners", (right, all) -> new Reporting(right, all) {
                    @Override
                    public CompletableFuture<Void> reset(String name, Commit commit) {
                        return store.reset(name, commit);
                    }
                }),
                flaw("reports no deletions to listeners", (right, all) -> new Reporting(right, all) {
                    @Override
                    public CompletableFuture<Void> delete(String name, Commit commit) {
                        return store.delete(name, commit);
                    }
                }),
                Flaw.that("reports no imports to listeners", "3.22").counters(Listeners::new, Reporting::new),
                flaw(
                        "reports to listeners what their own process changes only",
                        (right, all) -> new Reporting(right, new Listeners())),
                flaw("replaces the listener of a counter by the next one", listening((all, name, changed) -> {
                    all.of(name).clear();
                    return all.listen(name, changed);
                })),
                flaw("closes all listeners of a counter with one of them", listening((all, name, changed) -> {
                    all.listen(name, changed);
                    return new LiveListening(() -> all.of(name).clear());
                })),
                flaw("calls listeners of counters that were closed", listening((all, name, changed) -> {
                    all.listen(name, changed);
                    return new LiveListening(() -> {});
                })),
                flaw("listens to counters no more than 30 times", ListensSeldom::new),
                flaw(
                        "listens to no counter whose name has more than 63 bytes",
                        listening((all, name, changed) -> name.getBytes(StandardCharsets.UTF_8).length > COLUMN
                                ? new LiveListening(() -> {})
                                : all.listen(name, changed))),
                flaw("reports only the first counter of a batch to listeners", ReportsTheFirst::new),
                flaw("reports no more than 100 changes to listeners", ReportsFewChanges::new),
                flaw("reports no changes to listeners after a failed read", EndsWithAFailure::new),
                Flaw.that("ends the listeners of all processes when one of them is closed", "3.22")
                        .backend(Listeners::new, CounterListenerFlaws::endingAll));
    }

    /** Returns a correct backend, for comparison. */
    public static CounterBackend reporting(CounterBackend right, Listeners all) {
        return backend(right, new Reporting(right.counters(), all), all);
    }

    /** Creates the counters of a process. */
    interface Creating {
        CounterStore of(CounterStore right, Listeners all);
    }

    /** Returns counters that report every change, and listen in another way. */
    static Creating listening(Listeners.Way way) {
        return (right, all) -> new Reporting(right, all) {
            @Override
            public Listening listen(String name, Runnable changed) {
                return way.listen(all, name, changed);
            }
        };
    }

    static Flaw flaw(String does, Creating counters) {
        return Flaw.that(does, "3.22")
                .backend(Listeners::new, (right, all) -> backend(right, counters.of(right.counters(), all), all));
    }

    private static CounterBackend backend(CounterBackend right, CounterStore counters, Listeners all) {
        MigrationStore migration = new ForwardingMigrationStore(right.migration()) {
            @Override
            public CompletableFuture<ImportedState> importBase(Kind kind, String name, ImportedState base, Call call) {
                return store.importBase(kind, name, base, call).thenApply(imported -> {
                    all.report(name);
                    return imported;
                });
            }
        };
        return new WithMigration(right, counters, right.sequences(), migration);
    }

    static class Reporting extends ForwardingCounterStore {
        final Listeners all;

        Reporting(CounterStore right, Listeners all) {
            super(right);
            this.all = all;
        }

        @Override
        public Listening listen(String name, Runnable changed) {
            return all.listen(name, changed);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit)
                    .whenComplete((results, failure) -> requests.forEach(request -> all.report(request.name())));
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return store.reset(name, commit).thenRun(() -> all.report(name));
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return store.delete(name, commit).thenRun(() -> all.report(name));
        }
    }

    private static final class ListensSeldom extends Reporting {
        private final AtomicInteger listeners = new AtomicInteger();

        ListensSeldom(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public Listening listen(String name, Runnable changed) {
            return listeners.incrementAndGet() > LIMIT ? new LiveListening(() -> {}) : super.listen(name, changed);
        }
    }

    private static final class ReportsTheFirst extends Reporting {
        ReportsTheFirst(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit).thenApply(results -> {
                all.report(requests.get(0).name());
                return results;
            });
        }
    }

    private static final class ReportsFewChanges extends Reporting {
        ReportsFewChanges(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public Listening listen(String name, Runnable changed) {
            AtomicInteger reports = new AtomicInteger();
            return super.listen(name, () -> {
                if (reports.incrementAndGet() <= CHANGES) {
                    changed.run();
                }
            });
        }
    }

    private static final class EndsWithAFailure extends Reporting {
        private final AtomicBoolean failed = new AtomicBoolean();

        EndsWithAFailure(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public Listening listen(String name, Runnable changed) {
            return super.listen(name, () -> {
                if (!failed.get()) {
                    changed.run();
                }
            });
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call).whenComplete((results, failure) -> {
                if (failure != null) {
                    failed.set(true);
                }
            });
        }
    }

    private static CounterBackend endingAll(CounterBackend right, Listeners all) {
        return new ForwardingCounterBackend(reporting(right, all)) {
            @Override
            public void close() {
                all.clear();
            }
        };
    }
}
