package io.counterkit.verification.broken.text;

import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** Chapter 9, continued: caches whose keys are those of several names. */
public final class CachedKeyFlaws {
    private static final int CUT = 64;

    private CachedKeyFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                totals("cuts", name -> name.substring(0, Math.min(name.length(), CUT))),
                totals("ignores the case of", name -> name.toLowerCase(Locale.ROOT)),
                totals("strips", String::strip),
                Flaw.that("keeps entries in a cache by sequence and number, without a separator", "9.9")
                        .sequences(ConcurrentHashMap::new, CachesEntries::new));
    }

    private static Flaw totals(String does, UnaryOperator<String> key) {
        return Flaw.that(does + " the names of cached totals", "9.6")
                .counters(
                        ConcurrentHashMap<String, Reading>::new,
                        (store, cached) -> new CachesTotals(store, cached, key));
    }

    /** Reads with a staleness bound from a cache. */
    private static final class CachesTotals extends ForwardingCounterStore {
        private final Map<String, Reading> cached;
        private final UnaryOperator<String> key;

        CachesTotals(CounterStore store, Map<String, Reading> cached, UnaryOperator<String> key) {
            super(store);
            this.cached = cached;
            this.key = key;
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            if (names.size() > 1 || maxStaleness.compareTo(Duration.ofMinutes(1)) < 0) {
                return store.read(names, maxStaleness, call);
            }
            Reading known = cached.get(key.apply(names.get(0)));
            return known != null
                    ? Futures.done(List.of(Result.of(new Reading(known.value(), known.asOf(), Duration.ofMinutes(1)))))
                    : store.read(names, maxStaleness, call).thenApply(results -> {
                        results.stream()
                                .filter(Result::isApplied)
                                .forEach(result -> cached.put(key.apply(names.get(0)), result.orThrow()));
                        return results;
                    });
        }
    }

    /** Keeps entries until one of them is erased. */
    private static final class CachesEntries extends ForwardingSequenceStore {
        private final Map<String, Entry> cached;

        CachesEntries(SequenceStore store, Map<String, Entry> cached) {
            super(store);
            this.cached = cached;
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            List<String> keys = LongStream.rangeClosed(range.from(), range.to())
                    .limit(CUT)
                    .mapToObj(number -> sequence + number)
                    .toList();
            return cached.keySet().containsAll(keys)
                    ? Futures.done(keys.stream().map(cached::get).toList())
                    : store.read(sequence, range, call).thenApply(entries -> {
                        entries.forEach(entry -> cached.put(sequence + entry.number(), entry));
                        return entries;
                    });
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            cached.clear();
            return store.erase(sequence, number, commit).whenComplete((erased, failure) -> cached.clear());
        }
    }
}
