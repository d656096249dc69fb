package io.counterkit.verification.broken.reading;

import io.counterkit.Seal;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Listening;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Listeners;
import io.counterkit.verification.broken.flaw.LiveListening;
import io.counterkit.verification.broken.reading.CounterListenerFlaws.Reporting;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Chapter 3, listeners of counters, continued: when a change is reported, and what ends the reports. */
public final class CounterReportFlaws {
    private CounterReportFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                CounterListenerFlaws.flaw("reports an add before it is stored", ReportsEarly::new),
                CounterListenerFlaws.flaw("reports no add whose reply is lost", ReportsNoLostReply::new),
                CounterListenerFlaws.flaw("reports no add that subtracts", ReportsGrowth::new),
                CounterListenerFlaws.flaw("fails to listen to a sealed counter", FailsIfSealed::new),
                CounterListenerFlaws.flaw(
                        "listens once for two equal callbacks",
                        CounterListenerFlaws.listening(
                                (all, name, changed) -> all.of(name).contains(changed)
                                        ? new LiveListening(() -> all.of(name).remove(changed))
                                        : all.listen(name, changed))),
                CounterListenerFlaws.flaw(
                        "ends another listener of a counter when one is closed twice",
                        CounterListenerFlaws.listening(Listeners::listenByCount)),
                CounterListenerFlaws.flaw(
                        "listens to a counter by its name in small letters",
                        CounterListenerFlaws.listening(Listeners::listenBySmallLetters)),
                CounterListenerFlaws.flaw(
                        "listens to a counter 20 ms after it says so",
                        CounterListenerFlaws.listening(
                                (all, name, changed) -> all.listenLate(name, changed, Duration.ofMillis(20)))),
                CounterListenerFlaws.flaw(
                        "reports no batch in which an add is refused to listeners", ReportsRight::new),
                CounterListenerFlaws.flaw("reports to listeners what other processes add only", ReportsToOthers::new),
                Flaw.that("stops to report changes of counters after a second, and does not say so", "5.22")
                        .counters(
                                Listeners::new,
                                (right, all) -> CounterListenerFlaws.listening(Listeners::listenForASecond)
                                        .of(right, all)));
    }

    private static final class ReportsToOthers extends Reporting {
        private final AtomicInteger adding = new AtomicInteger();

        ReportsToOthers(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public Listening listen(String name, Runnable changed) {
            return all.listen(name, () -> {
                if (adding.get() == 0) {
                    changed.run();
                }
            });
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            adding.incrementAndGet();
            try {
                return super.add(requests, commit);
            } finally {
                adding.decrementAndGet();
            }
        }
    }

    private static final class ReportsEarly extends Reporting {
        ReportsEarly(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            requests.forEach(request -> all.report(request.name()));
            return store.add(requests, commit);
        }
    }

    private static final class ReportsNoLostReply extends Reporting {
        ReportsNoLostReply(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit).thenApply(results -> {
                requests.forEach(request -> all.report(request.name()));
                return results;
            });
        }
    }

    private static final class ReportsGrowth extends Reporting {
        ReportsGrowth(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit)
                    .whenComplete((results, failure) -> requests.stream()
                            .filter(request -> request.delta() > 0)
                            .forEach(request -> all.report(request.name())));
        }
    }

    private static final class ReportsRight extends Reporting {
        ReportsRight(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit).whenComplete((results, failure) -> {
                if (failure != null || results.stream().allMatch(Result::isApplied)) {
                    requests.forEach(request -> all.report(request.name()));
                }
            });
        }
    }

    private static final class FailsIfSealed extends Reporting {
        FailsIfSealed(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            return store.seal(name, forward, commit).thenApply(seal -> {
                all.refuse(name);
                return seal;
            });
        }
    }
}
