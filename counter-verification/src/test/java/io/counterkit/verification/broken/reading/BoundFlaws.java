package io.counterkit.verification.broken.reading;

import io.counterkit.Reading;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Chapter 3, continued: arithmetic with a staleness bound. */
public final class BoundFlaws {
    private BoundFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("converts a staleness bound to nanoseconds", "3.5")
                        .counters(store -> new Converts(store, Duration::toNanos)),
                Flaw.that("subtracts a staleness bound from the time", "3.5")
                        .counters(store -> new Converts(store, Instant.now()::minus)),
                Flaw.that("reads a total as of its last change", "3.5")
                        .counters(ConcurrentHashMap::new, LastChange::new));
    }

    /** Returns a total with the moment when it was read first. */
    private static final class LastChange extends ForwardingCounterStore {
        private final Map<String, Reading> first;

        LastChange(CounterStore store, Map<String, Reading> first) {
            super(store);
            this.first = first;
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call).thenApply(results -> {
                List<Result<Reading>> dated = new ArrayList<>(results);
                for (int i = 0; i < names.size(); i++) {
                    if (results.get(i).isApplied()) {
                        Reading now = results.get(i).orThrow();
                        Reading then = first.merge(
                                names.get(i), now, (old, other) -> old.value() == other.value() ? old : other);
                        dated.set(i, Result.of(new Reading(now.value(), then.asOf(), now.staleness())));
                    }
                }
                return dated;
            });
        }
    }

    private static final class Converts extends ForwardingCounterStore {
        private final Function<Duration, Object> conversion;

        Converts(CounterStore store, Function<Duration, Object> conversion) {
            super(store);
            this.conversion = conversion;
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            Object unused = conversion.apply(maxStaleness);
            return store.read(names, maxStaleness, call);
        }
    }
}
