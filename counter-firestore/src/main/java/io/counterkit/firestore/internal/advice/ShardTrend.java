package io.counterkit.firestore.internal.advice;

import io.counterkit.firestore.CounterActivity;
import io.counterkit.firestore.FirestoreCounterOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The load of one counter as this process observes it, and the shard count that this load needs. Each observation
 * concerns one shard count: when the count changes, the observation starts again. Thread-safe.
 */
public final class ShardTrend {
    /** How long a shard count is observed before it is raised, and the time between two checks of the load. */
    public static final long RAISE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** How long a shard count is observed before it is lowered. */
    public static final long LOWER_NANOS = TimeUnit.HOURS.toNanos(1);

    private static final CounterActivity NOTHING =
            new CounterActivity(0, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    private final int min;
    private final int max;
    private final double perShard;
    private int shards;
    private long since;
    private long lastCheck;
    private CounterActivity before;
    private double busiest;

    /** The shard count of a lowering that is not known to be complete; 0 if there is none. */
    private int lowering;

    /**
     * Starts to observe.
     *
     * @param perShard the most writes per second that one shard should get
     */
    ShardTrend(FirestoreCounterOptions options, double perShard, long now, int shards, CounterActivity activity) {
        this.min = options.minShards();
        this.max = options.maxShards();
        this.perShard = perShard;
        this.shards = shards;
        this.since = now;
        this.lastCheck = now;
        this.before = activity;
    }

    /** Returns whether a check of the load is due. */
    synchronized boolean isDue(long now) {
        return now - lastCheck >= RAISE_NANOS;
    }

    /**
     * Checks the load since the last check.
     *
     * @param known the shard count that this process uses
     * @param activity the statistics of this process since its start
     * @return the shard count that this load needs, often {@code known}; a lower one is the result of {@link #lowered}
     */
    synchronized int observe(long now, int known, CounterActivity activity) {
        long nanos = now - lastCheck;
        if (nanos < RAISE_NANOS) {
            return known; // another thread has checked
        }
        lastCheck = now;
        if (known != shards || activity.commits() < before.commits()) {
            shards = known;
            since = now;
            before = activity;
            busiest = 0;
            return known;
        }
        CounterActivity recent = between(before, activity, nanos);
        before = activity;
        busiest = Math.max(busiest, recent.busiest());
        int more = ShardAdvisor.advise(known, perShard, 0, recent, min, min).shards();
        if (more > known) {
            return Math.max(known, Math.min(Math.max(more, min), max));
        }
        if (now - since < LOWER_NANOS) {
            return known;
        }
        double load = busiest;
        since = now;
        busiest = 0;
        return lowered(known, load);
    }

    /**
     * Records that a lower shard count is about to be published. Its surplus shards are emptied afterwards.
     */
    synchronized void beginLowering(int shards) {
        lowering = shards;
    }

    /** Records that a change of the shard count is complete. */
    synchronized void complete() {
        lowering = 0;
    }

    /** Returns whether {@code known} was published by a lowering that then failed. */
    synchronized boolean isLoweredInPart(int known) {
        return lowering == known;
    }

    /** Returns the shard count, {@code known} or a lower one, that is enough for {@code load} commits per second. */
    int lowered(int known, double load) {
        return Math.min(
                known,
                ShardAdvisor.advise(known, perShard, load, NOTHING, min, min).shards());
    }

    private static CounterActivity between(CounterActivity before, CounterActivity now, long nanos) {
        long commits = now.commits() - before.commits();
        Duration waited = now.meanWait()
                .multipliedBy(now.commits())
                .minus(before.meanWait().multipliedBy(before.commits()));
        return new CounterActivity(
                commits,
                now.conflicts() - before.conflicts(),
                commits * 1e9 / nanos,
                now.meanLatency(),
                now.longestLatency(),
                waited.dividedBy(Math.max(1, commits)));
    }
}
