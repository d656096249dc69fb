package io.counterkit.verification.broken.reading;

import io.counterkit.Reading;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** Chapter 3, continued: backends that read many counters from a cache, to which each was added at another time. */
public final class CachedAgeFlaws {
    private CachedAgeFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                flaw("states the age of the newest of many cached totals for all of them", Math::max),
                flaw("states the age of the first of many cached totals for all of them", (first, next) -> first));
    }

    private static Flaw flaw(String does, LongBinaryOperator of) {
        return Flaw.that(does, "3.21").counters(store -> new StatesOneAge(store, of));
    }

    private record Cached(long at, Reading reading) {}

    private static final class StatesOneAge extends ForwardingCounterStore {
        private final Map<String, Cached> cache = new ConcurrentHashMap<>();
        private final LongBinaryOperator stated;

        StatesOneAge(CounterStore store, LongBinaryOperator stated) {
            super(store);
            this.stated = stated;
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            long now = System.nanoTime();
            if (names.stream().allMatch(name -> isFresh(cache.get(name), now, maxStaleness))) {
                long at = names.stream()
                        .mapToLong(name -> cache.get(name).at())
                        .reduce(stated)
                        .orElse(now);
                return Futures.done(names.stream()
                        .map(name -> cache.get(name).reading())
                        .map(reading -> Result.of(
                                new Reading(reading.value(), reading.asOf(), Duration.ofNanos(Math.max(0, now - at)))))
                        .toList());
            }
            return store.read(names, maxStaleness, call).thenApply(results -> {
                for (int i = 0; i < names.size(); i++) {
                    if (results.get(i).isApplied()) {
                        cache.put(names.get(i), new Cached(now, results.get(i).orThrow()));
                    }
                }
                return results;
            });
        }

        private static boolean isFresh(@Nullable Cached cached, long now, Duration maxStaleness) {
            return cached != null && Duration.ofNanos(now - cached.at()).compareTo(maxStaleness) < 0;
        }
    }
}
