package io.counterkit.firestore.internal.counter;

import io.counterkit.firestore.CounterActivity;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** What this process has had to do with each counter, for advice. */
public final class ActivityTracker {
    /** About 200 bytes each. Beyond that many counters in use at once, all are forgotten: advice is a courtesy. */
    static final int MOST_REMEMBERED = 10_000;

    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier clock;
    private final Map<String, Activity> activities = new ConcurrentHashMap<>();

    ActivityTracker(LongSupplier clock) {
        this.clock = clock;
    }

    /** A commit of adds to this counter is sent, once it has waited so long for its shard. */
    void sent(String counter, long waitNanos) {
        note(counter, activity -> activity.sent(waitNanos, clock.getAsLong()));
    }

    /** A commit of adds to these counters was answered. */
    void answered(Collection<String> counters, long latencyNanos) {
        counters.forEach(counter -> note(counter, activity -> activity.answered(latencyNanos)));
    }

    /** Another writer was in the way of a commit of adds to these counters. */
    void conflicted(Collection<String> counters) {
        counters.forEach(counter -> note(counter, activity -> activity.conflicts++));
    }

    public CounterActivity of(String counter) {
        Activity activity = activities.get(counter);
        return activity == null ? CounterActivity.NONE : activity.snapshot(clock.getAsLong());
    }

    private void note(String counter, Consumer<Activity> event) {
        if (activities.size() >= MOST_REMEMBERED && !activities.containsKey(counter)) {
            activities.clear();
        }
        Activity activity = activities.computeIfAbsent(counter, name -> new Activity(clock.getAsLong()));
        synchronized (activity) {
            event.accept(activity);
        }
    }

    /** Of one counter; each method but {@link #snapshot} under its lock. */
    private static final class Activity {
        private long commits;
        private long conflicts;
        private long answers;
        private long latency;
        private long longestLatency;
        private long wait;
        private long windowStart;
        private long inWindow;
        private double busiest;

        Activity(long now) {
            windowStart = now;
        }

        void sent(long waitNanos, long now) {
            if (now - windowStart >= WINDOW_NANOS) {
                busiest = rate(now);
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

        /** A window that has not ended counts as a whole one: a short burst is no load that lasts. */
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
