package io.counterkit.firestore.internal.counter;

import io.counterkit.firestore.CounterActivity;
import io.counterkit.spi.RecentlyUsed;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Records what this process observes of its adds to each counter, for shard advice. Thread-safe. */
public final class ActivityTracker {
    /** About 200 bytes each. */
    static final int MOST_REMEMBERED = 10_000;

    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier clock;
    private final RecentlyUsed<String, Activity> activities = new RecentlyUsed<>(MOST_REMEMBERED);

    public ActivityTracker(LongSupplier clock) {
        this.clock = clock;
    }

    /** Records that a commit of adds to a counter is sent, after a wait for its shard. */
    public void sent(String counter, long waitNanos) {
        record(counter, activity -> activity.sent(waitNanos, clock.getAsLong()));
    }

    /** Records the answer to a commit of adds. */
    public void answered(Collection<String> counters, long latencyNanos) {
        counters.forEach(counter -> record(counter, activity -> activity.answered(latencyNanos)));
    }

    /**
     * Records that a commit of adds waited for the lock of another writer. The store does not say for which counter, so
     * the conflict counts for the one with the most recent commits of this process per shard.
     *
     * @param shards the shard count of each counter
     */
    public void conflicted(Collection<String> counters, ToIntFunction<String> shards) {
        long now = clock.getAsLong();
        Map<String, Double> loads = new HashMap<>();
        counters.forEach(counter -> record(
                counter, activity -> loads.put(counter, (double) activity.lately(now) / shards.applyAsInt(counter))));
        double most = Collections.max(loads.values());
        loads.forEach((counter, load) -> {
            if (load == most) {
                record(counter, activity -> activity.conflicts++);
            }
        });
    }

    /** Returns what was recorded for a counter. */
    public CounterActivity of(String counter) {
        long now = clock.getAsLong();
        @Nullable Activity activity = activities.get(counter);
        return (activity == null ? new Activity(now) : activity).snapshot(now);
    }

    private void record(String counter, Consumer<Activity> event) {
        Activity activity = activities.computeIfAbsent(counter, name -> new Activity(clock.getAsLong()));
        synchronized (activity) {
            event.accept(activity);
        }
    }

    /** The records of one counter. Guarded by its own lock. */
    private static final class Activity {
        private long commits;
        private long conflicts;
        private long answers;
        private long latency;
        private long longestLatency;
        private long wait;
        private long windowStart;
        private long inWindow;
        private long inWindowBefore;
        private double busiest;

        Activity(long now) {
            windowStart = now;
        }

        void sent(long waitNanos, long now) {
            if (now - windowStart >= WINDOW_NANOS) {
                busiest = rate(now);
                inWindowBefore = now - windowStart < 2 * WINDOW_NANOS ? inWindow : 0;
                windowStart = now;
                inWindow = 0;
            }
            inWindow++;
            commits++;
            wait += waitNanos;
        }

        void answered(long nanos) {
            answers++;
            latency += nanos;
            longestLatency = Math.max(longestLatency, nanos);
        }

        /** Returns the commits of this window and the one before. */
        long lately(long now) {
            long age = now - windowStart;
            return age < WINDOW_NANOS ? inWindow + inWindowBefore : age < 2 * WINDOW_NANOS ? inWindow : 0;
        }

        /** Counts an unfinished window as a whole one, since a short burst is not a sustained load. */
        private double rate(long now) {
            return Math.max(busiest, inWindow * 1e9 / Math.max(WINDOW_NANOS, now - windowStart));
        }

        synchronized CounterActivity snapshot(long now) {
            return new CounterActivity(
                    commits,
                    conflicts,
                    rate(now),
                    Duration.ofNanos(latency / Math.max(1, answers)),
                    Duration.ofNanos(longestLatency),
                    Duration.ofNanos(wait / Math.max(1, commits)));
        }
    }
}
