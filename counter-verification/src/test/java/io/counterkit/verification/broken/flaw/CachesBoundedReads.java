package io.counterkit.verification.broken.flaw;

import io.counterkit.Reading;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** A store of counters that caches totals for reads with a staleness bound. */
public final class CachesBoundedReads extends ForwardingCounterStore {
    private record Cached(long at, Reading reading) {}

    private final Map<String, Cached> cache = new ConcurrentHashMap<>();
    private final UnaryOperator<List<Long>> stated;

    /**
     * Creates a store that states {@code stated} of the moments at which the cached totals were read; identity is
     * right.
     */
    public CachesBoundedReads(CounterStore store, UnaryOperator<List<Long>> stated) {
        super(store);
        this.stated = stated;
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        long now = System.nanoTime();
        boolean isCached = names.stream().allMatch(name -> {
            Cached cached = cache.get(name);
            return cached != null && Duration.ofNanos(now - cached.at()).compareTo(maxStaleness) < 0;
        });
        if (isCached) {
            List<Cached> found = names.stream().map(cache::get).toList();
            List<Long> moments = stated.apply(found.stream().map(Cached::at).toList());
            return Futures.done(Joined.of(found, moments, (cached, at) -> Result.of(aged(cached.reading(), now - at))));
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

    private static Reading aged(Reading reading, long nanos) {
        return new Reading(reading.value(), reading.asOf(), Duration.ofNanos(Math.max(0, nanos)));
    }
}
