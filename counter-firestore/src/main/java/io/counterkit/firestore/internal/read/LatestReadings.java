package io.counterkit.firestore.internal.read;

import io.counterkit.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The newest reading of each counter that this process has seen, so that it never goes back behind one. */
final class LatestReadings {
    private static final int MOST_REMEMBERED = 100_000;

    private final Map<String, Seen> latest = new ConcurrentHashMap<>();

    /** Of those that were forgotten the newest: an older one may be older than what was shown. */
    private volatile Instant forgotten = Instant.MIN;

    /** A total, the moment it is of by the store's clock, and the latest moment by ours at which it was the total. */
    private record Seen(long total, Instant at, long nanos) {
        Reading reading() {
            return new Reading(total, at, Duration.ofNanos(Math.max(0, System.nanoTime() - nanos)));
        }
    }

    /** The newest, if it is not older than that. */
    @Nullable Reading within(String name, Duration maxStaleness) {
        Seen seen = latest.get(name);
        Reading reading = seen == null ? null : seen.reading();
        return reading != null && reading.staleness().compareTo(maxStaleness) <= 0 ? reading : null;
    }

    /**
     * Takes note of a reading and returns the newest one.
     *
     * @param nanos a moment by {@link System#nanoTime()} at which it was the total, or before
     */
    Reading remember(String name, Reading reading, long nanos) {
        Seen seen = new Seen(reading.value(), reading.asOf(), nanos);
        if (latest.size() >= MOST_REMEMBERED) {
            forgetAll();
        }
        return latest.merge(name, seen, (one, other) -> other.at().isAfter(one.at()) ? other : one)
                .reading();
    }

    /** Whether nothing newer can have been shown than this. */
    boolean mayBeShown(Reading newest) {
        return !newest.asOf().isBefore(forgotten);
    }

    private synchronized void forgetAll() {
        latest.forEach((name, seen) -> {
            if (seen.at().isAfter(forgotten)) {
                forgotten = seen.at();
            }
            latest.remove(name, seen);
        });
    }
}
