package io.counterkit.firestore.internal.counter;

import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.RecentlyUsed;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the shard of each commit, and limits the rate of this process's writes to each shard. A commit goes to a
 * random shard below its rate, or else to the shard that may be written to first. Uses the generic cell rate algorithm
 * of ATM networks: each shard has a time at which its reserved writes end, and the burst limits how far ahead that time
 * may be. Thread-safe.
 */
public final class ShardRateLimiter {
    private static final int MOST_REMEMBERED = 10_000;

    private final long intervalNanos;
    private final long burstNanos;
    private final LongSupplier clock;

    /** The time at which the reserved writes of each shard end. A counter that was evicted starts with a full burst. */
    private final RecentlyUsed<String, long[]> reserved = new RecentlyUsed<>(MOST_REMEMBERED);

    /** Limits each shard to {@code perSecond} sustained writes and bursts of {@code burst}; null for no limit. */
    ShardRateLimiter(@Nullable Double perSecond, int burst, LongSupplier clock) {
        this.intervalNanos = perSecond == null || perSecond.isInfinite() ? 0 : (long) (1e9 / perSecond);
        this.burstNanos = (burst - 1) * intervalNanos;
        this.clock = clock;
    }

    /** Creates the limiter of the options. With an emulator there is no limit by default. */
    public static ShardRateLimiter of(FirestoreSchema schema) {
        FirestoreCounterOptions options = schema.options();
        Double given = options.writesPerShard();
        return new ShardRateLimiter(
                given != null || schema.isEmulator() ? given : Double.valueOf(1),
                options.writeBurst(),
                System::nanoTime);
    }

    /** A shard, and the time to wait before it is written to. */
    record Turn(int shard, long waitNanos) {}

    /** Reserves the next write to a counter. */
    Turn next(String counter, int shards) {
        int start = ThreadLocalRandom.current().nextInt(shards);
        if (intervalNanos == 0) {
            return new Turn(start, 0);
        }
        long now = clock.getAsLong();
        long[] ends = endsOf(counter, shards, now);
        synchronized (ends) {
            int chosen = start;
            for (int i = 0; i < shards; i++) {
                int shard = (start + i) % shards;
                if (ends[shard] - now <= burstNanos) {
                    chosen = shard;
                    break;
                }
                if (ends[shard] - ends[chosen] < 0) {
                    chosen = shard;
                }
            }
            long wait = Math.max(0, ends[chosen] - now - burstNanos);
            ends[chosen] = (ends[chosen] - now < 0 ? now : ends[chosen]) + intervalNanos;
            return new Turn(chosen, wait);
        }
    }

    /** Reserves the next write to one shard and returns true, or returns false if the shard has reached its rate. */
    public boolean tryReserve(String counter, int shards, int shard) {
        if (intervalNanos == 0) {
            return true;
        }
        long now = clock.getAsLong();
        long[] ends = endsOf(counter, shards, now);
        synchronized (ends) {
            if (ends[shard] - now > burstNanos) {
                return false;
            }
            ends[shard] = (ends[shard] - now < 0 ? now : ends[shard]) + intervalNanos;
            return true;
        }
    }

    /** Reserves the next write to any shard of a counter and returns the shard, or returns -1 if each has reached its rate. */
    public int tryReserveAny(String counter, int shards) {
        Turn turn = next(counter, shards);
        if (turn.waitNanos() == 0) {
            return turn.shard();
        }
        cancel(counter, turn);
        return -1;
    }

    /** Cancels the reservation of a write to a shard. */
    public void cancel(String counter, int shard) {
        cancel(counter, new Turn(shard, 0));
    }

    private long[] endsOf(String counter, int shards, long now) {
        long[] ends = reserved.computeIfAbsent(counter, name -> idle(shards, now));
        if (ends.length != shards) {
            ends = idle(shards, now);
            reserved.put(counter, ends);
        }
        return ends;
    }

    /** Cancels the reservation of a write. */
    void cancel(String counter, Turn turn) {
        long[] ends = reserved.get(counter);
        if (ends != null && turn.shard() < ends.length) {
            synchronized (ends) {
                ends[turn.shard()] -= intervalNanos;
            }
        }
    }

    private static long[] idle(int shards, long now) {
        long[] ends = new long[shards];
        Arrays.fill(ends, now);
        return ends;
    }
}
