package io.counterkit.verification.broken.reading;

import io.counterkit.Reading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import io.counterkit.verification.broken.flaw.WithMigration;
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
    private static final Duration LONG = Duration.ofSeconds(1);

    private BoundFlaws() {}

    public static List<Flaw> all() {
        List<Flaw> flaws = new ArrayList<>(RepeatedNameFlaws.all());
        flaws.addAll(List.of(
                Flaw.that("converts a staleness bound to nanoseconds", "3.5")
                        .counters(store -> new Converts(store, Duration::toNanos)),
                Flaw.that("subtracts a staleness bound from the time", "3.5")
                        .counters(store -> new Converts(store, Instant.now()::minus)),
                Flaw.that("returns a total from before an import as fresh", "4.12")
                        .backend(ConcurrentHashMap::new, BoundFlaws::freshAfterImport),
                Flaw.that("reads a total as of its last change", "3.5")
                        .counters(ConcurrentHashMap::new, LastChange::new)));
        return flaws;
    }

    /**
     * Caches totals for long bounds until there is another call for the counter, which is neither a read nor an import.
     */
    private static CounterBackend freshAfterImport(CounterBackend right, Map<String, Reading> cache) {
        return Intercepted.of(
                new WithMigration(
                        right, new ForwardingCounterStore(right.counters()), right.sequences(), right.migration()),
                call -> {
                    switch (call.method()) {
                        case "CounterStore.add" ->
                            call.<List<AddRequest>>argument(0).forEach(add -> cache.remove(add.name()));
                        case "CounterStore.reset", "CounterStore.delete" -> cache.remove(call.<String>argument(0));
                        default -> {}
                    }
                    return call.method().equals("CounterStore.read")
                                    && call.<Duration>argument(1).compareTo(LONG) > 0
                            ? cached(call, cache)
                            : call.pass();
                });
    }

    private static CompletableFuture<?> cached(Sent read, Map<String, Reading> cache) {
        List<String> names = read.argument(0);
        Reading cached = names.size() > 1 ? null : cache.get(names.get(0));
        return cached != null
                ? Futures.done(List.of(Result.of(new Reading(cached.value(), Instant.now(), Duration.ZERO))))
                : read.<List<Result<Reading>>>passOn().thenApply(results -> {
                    if (names.size() == 1 && results.get(0).isApplied()) {
                        cache.put(names.get(0), results.get(0).orThrow());
                    }
                    return results;
                });
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
