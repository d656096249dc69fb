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
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** Chapter 3, listeners of counters, continued: when a change is reported, and what ends the reports. */
public final class CounterReportFlaws {
    private CounterReportFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                CounterListenerFlaws.flaw("reports an add before it is stored", ReportsEarly::new),
                CounterListenerFlaws.flaw("reports no add whose reply is lost", ReportsNoLostReply::new),
                CounterListenerFlaws.flaw("reports no add that subtracts", ReportsGrowth::new),
                CounterListenerFlaws.flaw("fails to listen to a sealed counter", FailsIfSealed::new),
                CounterListenerFlaws.flaw("listens once for two equal callbacks", ListensOnce::new),
                CounterListenerFlaws.flaw(
                        "ends another listener of a counter when one is closed twice", CountsListeners::new),
                CounterListenerFlaws.flaw("listens to a counter by its name in small letters", IgnoresCase::new),
                CounterListenerFlaws.flaw("listens to a counter 20 ms after it says so", ListensLate::new),
                Flaw.that("stops to report changes of counters after a second, and does not say so", "5.22")
                        .counters(Listeners::new, ListensBriefly::new));
    }

    private static final class ListensLate extends Reporting {
        ListensLate(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public Listening listen(String name, Runnable changed) {
            return all.listenLate(name, changed, Duration.ofMillis(20));
        }
    }

    private static final class IgnoresCase extends Reporting {
        IgnoresCase(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public Listening listen(String name, Runnable changed) {
            return super.listen(name.toLowerCase(Locale.ROOT), changed);
        }
    }

    private static final class ListensBriefly extends Reporting {
        ListensBriefly(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public Listening listen(String name, Runnable changed) {
            return all.listenBriefly(name, changed, Duration.ofSeconds(1));
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

    private static final class ListensOnce extends Reporting {
        ListensOnce(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public Listening listen(String name, Runnable changed) {
            return all.of(name).contains(changed)
                    ? new LiveListening(() -> all.of(name).remove(changed))
                    : super.listen(name, changed);
        }
    }

    /** Ends the reports of a counter when as many closes as listeners were counted. */
    private static final class CountsListeners extends Reporting {
        CountsListeners(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public Listening listen(String name, Runnable changed) {
            return all.listenByCount(name, changed);
        }
    }
}
