package io.counterkit.verification.broken.reading;

import io.counterkit.Reading;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Chapter 3, continued: arithmetic with a staleness bound. */
public final class BoundFlaws {
    private BoundFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("converts a staleness bound to nanoseconds", "3.5")
                        .counters(store -> new Converts(store, Duration::toNanos)),
                Flaw.that("subtracts a staleness bound from the time", "3.5")
                        .counters(store -> new Converts(store, Instant.now()::minus)));
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
