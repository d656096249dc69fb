package io.counterkit.firestore.internal.read;

import io.counterkit.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The latest reading of each counter in this process, so that its readings never go back in time. Thread-safe. */
final class LatestReadings {
    private static final int MOST_REMEMBERED = 100_000;

    private final Map<String, Seen> latest = new ConcurrentHashMap<>();

    /**
     * The time of the newest reading that was forgotten. An earlier reading may be older than one that was returned.
     */
    private volatile Instant forgotten = Instant.MIN;

    /**
     * A total, its time by the store's clock, and the latest {@link System#nanoTime()} at which it is known to be the
     * total.
     */
    private record Seen(long total, Instant at, long nanos) {
        Reading reading() {
            return new Reading(total, at, Duration.ofNanos(Math.max(0, System.nanoTime() - nanos)));
        }
    }

    /** Returns the latest reading; null if it is older than {@code maxStaleness}. */
    @Nullable Reading within(String name, Duration maxStaleness) {
        Seen seen = latest.get(name);
        Reading reading = seen == null ? null : seen.reading();
        return reading != null && reading.staleness().compareTo(maxStaleness) <= 0 ? reading : null;
    }

    /**
     * Remembers a reading and returns the latest one.
     *
     * @param nanos a time by {@link System#nanoTime()} at which the counter had this total, or an earlier time
     */
    Reading remember(String name, Reading reading, long nanos) {
        Seen seen = new Seen(reading.value(), reading.asOf(), nanos);
        if (latest.size() >= MOST_REMEMBERED) {
            forgetAll();
        }
        return latest.merge(name, seen, (one, other) -> other.at().isAfter(one.at()) ? other : one)
                .reading();
    }

    /** Returns whether no later reading can have been returned. */
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
