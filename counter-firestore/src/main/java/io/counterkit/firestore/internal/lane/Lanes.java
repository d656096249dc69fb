package io.counterkit.firestore.internal.lane;

import io.counterkit.spi.RecentlyUsed;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of one process, for its most recently used counters. Each counter has a random home shard, which its
 * commits use while it is free, so processes that share a counter mostly use different shards. Thread-safe.
 */
final class Lanes {
    /** About 500 bytes each with one lane. */
    private static final int MOST_COUNTERS = 20_000;

    /** The most lanes of one counter: eight times the default number of commits in flight. */
    private static final int MOST_LANES = 16;

    private final RecentlyUsed<String, CounterLanes> counters = new RecentlyUsed<>(MOST_COUNTERS);

    private static final class CounterLanes {
        private int home = ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
        private final Map<Integer, Lane> lanes = new HashMap<>();
        private int shards;
    }

    /**
     * Takes a free lane of a counter, preferably the lane of the home shard. Returns null if there is none, or if a
     * stamp is not worth trying.
     *
     * @param known whether to take only a lane that has the update time of its shard
     * @param tryReserve reserves a write to a shard, or returns false if the shard has reached its rate
     */
    @Nullable Lane tryTake(String counter, int shards, boolean known, IntPredicate tryReserve) {
        CounterLanes all = counters.computeIfAbsent(counter, name -> new CounterLanes());
        synchronized (all) {
            if (all.shards != shards) { // the home shard and the following ones have changed
                all.shards = shards;
                all.lanes.values().removeIf(lane -> !lane.isTaken);
            }
            for (int i = 0; i < Math.min(shards, MOST_LANES); i++) {
                int shard = (all.home % shards + i) % shards;
                Lane lane = all.lanes.get(shard);
                if (lane == null) {
                    if (known || all.lanes.size() >= MOST_LANES) {
                        continue;
                    }
                    lane = new Lane(counter, shard);
                    all.lanes.put(shard, lane);
                }
                if (!lane.isTaken && (!known || lane.version() != null)) {
                    if (!lane.isWorthTrying()) {
                        lane.skipped();
                        return null;
                    }
                    if (tryReserve.test(shard)) {
                        lane.isTaken = true;
                        return lane;
                    }
                }
            }
            return null;
        }
    }

    /** Releases a lane for other commits. */
    void release(Lane lane) {
        CounterLanes all = counters.computeIfAbsent(lane.counter, name -> new CounterLanes());
        synchronized (all) {
            lane.isTaken = false;
        }
    }

    /** Discards a lane whose last commit has an unknown outcome. */
    void discard(Lane lane) {
        CounterLanes all = counters.computeIfAbsent(lane.counter, name -> new CounterLanes());
        synchronized (all) {
            all.lanes.remove(lane.shard, lane);
        }
    }

    /** Chooses another home shard for a counter, at random. */
    void move(String counter) {
        CounterLanes all = counters.computeIfAbsent(counter, name -> new CounterLanes());
        synchronized (all) {
            all.home = ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
            all.lanes.values().removeIf(lane -> !lane.isTaken);
        }
    }

    /** Forgets the update time of a shard that this process changes without a stamp. */
    void forget(String counter, int shard) {
        CounterLanes all = counters.get(counter);
        if (all != null) {
            synchronized (all) {
                Lane lane = all.lanes.get(shard);
                if (lane != null && !lane.isTaken) {
                    lane.forget();
                }
            }
        }
    }
}
