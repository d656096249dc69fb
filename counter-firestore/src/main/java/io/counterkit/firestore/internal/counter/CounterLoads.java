package io.counterkit.firestore.internal.counter;

import io.counterkit.firestore.CounterActivity;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.RecentlyUsed;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The loads of the counters that this process most recently added to. A counter that was evicted starts with a full
 * burst and without observations. Thread-safe.
 */
public final class CounterLoads {
    /** About 300 bytes each, and 8 for each shard. */
    static final int MOST_REMEMBERED = 10_000;

    private final Rate rate;
    private final RecentlyUsed<String, CounterLoad> loads = new RecentlyUsed<>(MOST_REMEMBERED);

    /** Limits each shard to {@code perSecond} sustained writes and bursts of {@code burst}; null for no limit. */
    CounterLoads(@Nullable Double perSecond, int burst, LongSupplier clock) {
        long interval = perSecond == null || perSecond.isInfinite() ? 0 : (long) (1e9 / perSecond);
        this.rate = new Rate(interval, (burst - 1) * interval, clock);
    }

    /** Creates the loads of a backend. With an emulator, writes are not limited by default. */
    public static CounterLoads of(FirestoreSchema schema, LongSupplier clock) {
        FirestoreCounterOptions options = schema.options();
        Double given = options.writesPerShard();
        return new CounterLoads(
                given != null || schema.isEmulator() ? given : Double.valueOf(1), options.writeBurst(), clock);
    }

    /**
     * The rate of writes that a shard is allowed.
     *
     * @param intervalNanos the time of one write, 0 for no limit
     * @param burstNanos the time of a burst of writes, minus the time of one write
     */
    record Rate(long intervalNanos, long burstNanos, LongSupplier clock) {
        boolean isUnlimited() {
            return intervalNanos == 0;
        }

        long now() {
            return clock.getAsLong();
        }
    }

    /** Returns the load of a counter. */
    CounterLoad of(String counter) {
        return loads.computeIfAbsent(counter, name -> new CounterLoad(rate));
    }

    /** Returns the statistics of a counter. */
    public CounterActivity activityOf(String counter) {
        CounterLoad load = loads.get(counter);
        return (load == null ? new CounterLoad(rate) : load).activity();
    }
}
