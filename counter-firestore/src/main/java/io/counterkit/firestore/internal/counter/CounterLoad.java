package io.counterkit.firestore.internal.counter;

import io.counterkit.firestore.CounterActivity;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The load of this process on one counter. Chooses the shard of each commit, limits the rate of writes to each shard,
 * and records what the process observes, for shard advice.
 *
 * <p>A commit goes to a random shard below its rate, or else to the shard that may be written to first. Uses the
 * generic cell rate algorithm of ATM networks: each shard has a time at which its reserved writes end, and the burst
 * limits how far ahead that time may be. Thread-safe.
 */
final class CounterLoad {
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final CounterLoads.Rate rate;

    /**
     * The time at which the reserved writes of each shard end; empty if none are reserved. Guarded by this lock, like
     * all fields.
     */
    private long[] ends = {};

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

    CounterLoad(CounterLoads.Rate rate) {
        this.rate = rate;
        this.windowStart = rate.now();
    }

    /** A shard, and the time to wait before it is written to. */
    record Reservation(int shard, long waitNanos) {}

    /** Reserves the next write to a shard. */
    Reservation reserve(int shards) {
        int start = ThreadLocalRandom.current().nextInt(shards);
        return rate.isUnlimited() ? new Reservation(start, 0) : reserve(start, shards);
    }

    private synchronized Reservation reserve(int start, int shards) {
        long now = rate.now();
        resize(shards, now);
        int chosen = start;
        for (int i = 0; i < shards; i++) {
            int shard = (start + i) % shards;
            if (ends[shard] - now <= rate.burstNanos()) {
                chosen = shard;
                break;
            }
            if (ends[shard] - ends[chosen] < 0) {
                chosen = shard;
            }
        }
        long waitNanos = Math.max(0, ends[chosen] - now - rate.burstNanos());
        extend(chosen, now);
        return new Reservation(chosen, waitNanos);
    }

    /** Reserves the next write to one shard and returns true, or returns false if the shard has reached its rate. */
    synchronized boolean tryReserve(int shards, int shard) {
        if (rate.isUnlimited()) {
            return true;
        }
        long now = rate.now();
        resize(shards, now);
        if (ends[shard] - now > rate.burstNanos()) {
            return false;
        }
        extend(shard, now);
        return true;
    }

    /** Cancels the reservation of a write to a shard. */
    synchronized void cancel(int shard) {
        if (shard < ends.length) {
            ends[shard] -= rate.intervalNanos();
        }
    }

    private void resize(int shards, long now) {
        if (ends.length != shards) {
            ends = new long[shards];
            Arrays.fill(ends, now);
        }
    }

    private void extend(int shard, long now) {
        ends[shard] = (ends[shard] - now < 0 ? now : ends[shard]) + rate.intervalNanos();
    }

    /** Records that a commit of adds is sent, after a wait for its shard. */
    synchronized void sent(long waitNanos) {
        long now = rate.now();
        if (now - windowStart >= WINDOW_NANOS) {
            busiest = busiest(now);
            inWindowBefore = now - windowStart < 2 * WINDOW_NANOS ? inWindow : 0;
            windowStart = now;
            inWindow = 0;
        }
        inWindow++;
        commits++;
        wait += waitNanos;
    }

    /** Records the answer to a commit of adds. */
    synchronized void answered(long nanos) {
        answers++;
        latency += nanos;
        longestLatency = Math.max(longestLatency, nanos);
    }

    /** Records that a commit of adds waited for the lock of another writer. */
    synchronized void conflicted() {
        conflicts++;
    }

    /** Returns the number of commits in this window and the one before. */
    synchronized long lately() {
        long age = rate.now() - windowStart;
        return age < WINDOW_NANOS ? inWindow + inWindowBefore : age < 2 * WINDOW_NANOS ? inWindow : 0;
    }

    /** Counts an unfinished window as a whole one, since a short burst is not a sustained load. */
    private double busiest(long now) {
        return Math.max(busiest, inWindow * 1e9 / Math.max(WINDOW_NANOS, now - windowStart));
    }

    synchronized CounterActivity activity() {
        return new CounterActivity(
                commits,
                conflicts,
                busiest(rate.now()),
                Duration.ofNanos(latency / Math.max(1, answers)),
                Duration.ofNanos(longestLatency),
                Duration.ofNanos(wait / Math.max(1, commits)));
    }
}
