package io.counterkit.firestore.internal.counter;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.counterkit.firestore.FirestoreCounterOptions;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the shard of each commit, and keeps this process below a rate of writes to each shard: a commit goes to a shard
 * that may be written to now, or waits for the first that may. Each shard has the moment up to which its writes are
 * spoken for, as in the generic cell rate algorithm of ATM networks; a burst is how far that may lie ahead.
 */
public final class ShardRateLimiter {
    /** No limit: any shard, at once. */
    public static final ShardRateLimiter NONE = new ShardRateLimiter(null, 1, System::nanoTime);

    private static final int MOST_REMEMBERED = 10_000;

    private final long intervalNanos;
    private final long burstNanos;
    private final LongSupplier clock;
    private final Map<String, long[]> spokenFor = new ConcurrentHashMap<>();

    /** At most {@code perSecond} writes to each shard for long, {@code burst} of them at once; null for no limit. */
    ShardRateLimiter(@Nullable Double perSecond, int burst, LongSupplier clock) {
        this.intervalNanos = perSecond == null ? 0 : (long) (1e9 / perSecond);
        this.burstNanos = (burst - 1) * intervalNanos;
        this.clock = clock;
    }

    /** As the options say; with an emulator there is no limit unless they say so. */
    public static ShardRateLimiter of(FirestoreCounterOptions options, Firestore firestore) {
        boolean isEmulator = firestore.getOptions().getCredentials() instanceof FirestoreOptions.EmulatorCredentials;
        Double given = options.writesPerShard();
        Double perSecond = given != null ? given : isEmulator ? null : 1.0;
        boolean isUnlimited = perSecond == null || perSecond.isInfinite();
        return isUnlimited ? NONE : new ShardRateLimiter(perSecond, options.writeBurst(), System::nanoTime);
    }

    /** A shard, and how long to wait before it is written to. */
    record Turn(int shard, long waitNanos) {}

    /** The next turn of a counter. It counts as taken. */
    Turn next(String counter, int shards) {
        int start = ThreadLocalRandom.current().nextInt(shards);
        if (intervalNanos == 0) {
            return new Turn(start, 0);
        }
        if (spokenFor.size() >= MOST_REMEMBERED) {
            spokenFor.clear(); // a burst more for each: the limit is a courtesy, not a promise
        }
        long now = clock.getAsLong();
        long[] moments = spokenFor.compute(
                counter, (name, known) -> known != null && known.length == shards ? known : idle(shards, now));
        synchronized (moments) {
            int chosen = start;
            for (int i = 0; i < shards; i++) {
                int shard = (start + i) % shards;
                if (moments[shard] - now <= burstNanos) {
                    chosen = shard;
                    break;
                }
                if (moments[shard] - moments[chosen] < 0) {
                    chosen = shard;
                }
            }
            long wait = Math.max(0, moments[chosen] - now - burstNanos);
            moments[chosen] = (moments[chosen] - now < 0 ? now : moments[chosen]) + intervalNanos;
            return new Turn(chosen, wait);
        }
    }

    private static long[] idle(int shards, long now) {
        long[] moments = new long[shards];
        Arrays.fill(moments, now);
        return moments;
    }
}
