package io.counterkit.verification.broken.reading;

import io.counterkit.Reading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.reading.WatchFlaws.Looks;
import io.counterkit.verification.broken.reading.WatchFlaws.ReportsChanges;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Chapter 3, watches, continued: backends that report readings themselves, but not of each change, or changed ones. */
public final class WatchedChangeFlaws {
    private WatchedChangeFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                missing(
                        Flaw.that("reports no adds with tokens to a watch", "3.9"),
                        requests -> requests.get(0).token() != null),
                missing(
                        Flaw.that("reports no batches of several adds to a watch", "3.9")
                                .batched(),
                        requests -> requests.size() > 1),
                changing(
                        "reports totals in floating point to a watch",
                        "3.9",
                        reading -> new Reading((long) (double) reading.value(), reading.asOf(), reading.staleness())),
                changing(
                        "reports tomorrow as the time of a total to a watch",
                        "3.9",
                        reading -> new Reading(
                                reading.value(), reading.asOf().plus(Duration.ofDays(1)), reading.staleness())),
                changing(
                        "reports the largest total as the one below to a watch",
                        "3.19",
                        reading -> new Reading(
                                Math.min(Limits.MAX_TOTAL - 1, reading.value()), reading.asOf(), reading.staleness())));
    }

    /** Returns a flaw that shows some adds only after another change. */
    private static Flaw missing(Flaw.Draft draft, Predicate<List<AddRequest>> which) {
        return draft.counters(
                ConcurrentHashMap::<String>newKeySet, (store, missed) -> new Misses(store, missed, which));
    }

    private static Flaw changing(String does, String breaks, UnaryOperator<Reading> reported) {
        return Flaw.that(does, breaks).counters(store -> new ReportsChanges(store) {
            @Override
            void see(Looks looks, Reading reading) {
                super.see(looks, reported.apply(reading));
            }
        });
    }

    private static final class Misses extends ReportsChanges {
        private final Set<String> missed;
        private final Predicate<List<AddRequest>> which;

        Misses(CounterStore store, Set<String> missed, Predicate<List<AddRequest>> which) {
            super(store);
            this.missed = missed;
            this.which = which;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            requests.forEach(request -> {
                if (which.test(requests)) {
                    missed.add(request.name());
                } else {
                    missed.remove(request.name());
                }
            });
            return store.add(requests, commit);
        }

        @Override
        void see(Looks looks, Reading reading) {
            Reading last = looks.last;
            super.see(
                    looks,
                    last == null || !missed.contains(looks.name)
                            ? reading
                            : new Reading(last.value(), reading.asOf(), reading.staleness()));
        }
    }
}
