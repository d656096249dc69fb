package io.counterkit.verification.broken.sequence;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.Seal;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Listening;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Listeners;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** Chapter 15, continued: backends that report each append themselves, but at the wrong time, or not each. */
public final class AppendReportFlaws {
    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int LARGE = 8_000;

    private AppendReportFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("reports an append before it is stored", "15.10")
                        .sequences(Listeners::new, ReportsEarly::new),
                Flaw.that("reports no append whose reply is lost", "15.10")
                        .sequences(Listeners::new, ReportsNoLostReply::new),
                Flaw.that("reports no batch of several appends", "15.10")
                        .sequences(Listeners::new, ReportsSingleAppends::new),
                Flaw.that("fails to listen to a sealed sequence", "15.9").sequences(Listeners::new, FailsIfSealed::new),
                Flaw.that("ends another listener of a sequence when one is closed twice", "15.10")
                        .sequences(Listeners::new, listening(Listeners::listenByCount)),
                Flaw.that("does not report the first entry of a sequence", "15.10")
                        .sequences(Listeners::new, ReportsLaterEntries::new),
                Flaw.that("reports no append after an erasure", "15.10")
                        .sequences(Listeners::new, EndsWithAnErasure::new),
                Flaw.that("listens to a sequence by its name in small letters", "15.10")
                        .sequences(Listeners::new, listening(Listeners::listenBySmallLetters)),
                reportingSome(
                        "reports no appends of more than 8,000 bytes",
                        requests -> requests.stream().noneMatch(AppendReportFlaws::isLarge)),
                reportingSome(
                        "reports no batch of appends whose first one is refused",
                        requests -> requests.size() == 1 || requests.get(0).change() == Change.ADDED),
                Flaw.that("reports no append within 5 ms of another one", "15.10")
                        .sequences(Listeners::new, ReportsSeldom::new),
                Flaw.that("reports what other processes append only", "15.10")
                        .sequences(Listeners::new, ReportsToOthers::new),
                Flaw.that("stops to report appends after a second, and does not say so", "5.22")
                        .sequences(Listeners::new, listening(Listeners::listenForASecond)));
    }

    private static boolean isLarge(AppendRequest request) {
        return request.fields().values().stream()
                .anyMatch(value -> value instanceof byte[] bytes && bytes.length > LARGE);
    }

    /** Returns a flaw that reports some calls only. */
    private static Flaw reportingSome(String does, Predicate<List<AppendRequest>> isReported) {
        return Flaw.that(does, "15.10").sequences(Listeners::new, (store, all) -> new Reporting(store, all) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                return isReported.test(requests)
                        ? super.append(sequence, requests, commit)
                        : store.append(sequence, requests, commit);
            }
        });
    }

    /** Returns a correct store, for comparison. */
    public static Flaw none() {
        return Flaw.that("has no flaw and reports appends itself").sequences(Listeners::new, Reporting::new);
    }

    /** Returns a store that reports each append, and listens in another way. */
    private static BiFunction<SequenceStore, Listeners, SequenceStore> listening(Listeners.Way way) {
        return (store, all) -> new Reporting(store, all) {
            @Override
            public Listening listen(String sequence, Runnable changed) {
                return way.listen(all, sequence, changed);
            }
        };
    }

    private static final class ReportsToOthers extends Reporting {
        private final AtomicInteger appending = new AtomicInteger();

        ReportsToOthers(SequenceStore store, Listeners all) {
            super(store, all);
        }

        @Override
        public Listening listen(String sequence, Runnable changed) {
            return all.listen(sequence, () -> {
                if (appending.get() == 0) {
                    changed.run();
                }
            });
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            appending.incrementAndGet();
            CompletableFuture<List<Result<Entry>>> appended = super.append(sequence, requests, commit);
            appending.decrementAndGet();
            return appended;
        }
    }

    private static class Reporting extends ForwardingSequenceStore {
        final Listeners all;

        Reporting(SequenceStore store, Listeners all) {
            super(store);
            this.all = all;
        }

        @Override
        public Listening listen(String sequence, Runnable changed) {
            return all.listen(sequence, changed);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit).whenComplete((results, failure) -> all.report(sequence));
        }
    }

    private static final class ReportsEarly extends Reporting {
        ReportsEarly(SequenceStore store, Listeners all) {
            super(store, all);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            all.report(sequence);
            return store.append(sequence, requests, commit);
        }
    }

    private static final class ReportsNoLostReply extends Reporting {
        ReportsNoLostReply(SequenceStore store, Listeners all) {
            super(store, all);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit).thenApply(results -> {
                all.report(sequence);
                return results;
            });
        }
    }

    private static final class ReportsSingleAppends extends Reporting {
        ReportsSingleAppends(SequenceStore store, Listeners all) {
            super(store, all);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return requests.size() == 1
                    ? super.append(sequence, requests, commit)
                    : store.append(sequence, requests, commit);
        }
    }

    private static final class FailsIfSealed extends Reporting {
        FailsIfSealed(SequenceStore store, Listeners all) {
            super(store, all);
        }

        @Override
        public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
            return store.seal(sequence, forward, commit).thenApply(seal -> {
                all.refuse(sequence);
                return seal;
            });
        }
    }

    private static final class ReportsLaterEntries extends Reporting {
        ReportsLaterEntries(SequenceStore store, Listeners all) {
            super(store, all);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit).whenComplete((results, failure) -> {
                if (failure != null || results.stream().noneMatch(ReportsLaterEntries::isFirst)) {
                    all.report(sequence);
                }
            });
        }

        private static boolean isFirst(Result<Entry> result) {
            return result.value() != null && result.value().number() == 1;
        }
    }

    private static final class ReportsSeldom extends Reporting {
        private final Map<String, Long> reported = new ConcurrentHashMap<>();

        ReportsSeldom(SequenceStore store, Listeners all) {
            super(store, all);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit).whenComplete((results, failure) -> {
                long now = System.nanoTime();
                Long before = reported.get(sequence);
                if (before == null || now - before > SHORTEST) {
                    reported.put(sequence, now);
                    all.report(sequence);
                }
            });
        }
    }

    private static final class EndsWithAnErasure extends Reporting {
        EndsWithAnErasure(SequenceStore store, Listeners all) {
            super(store, all);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return store.erase(sequence, number, commit)
                    .whenComplete((isPresent, failure) -> all.of(sequence).clear());
        }
    }
}
