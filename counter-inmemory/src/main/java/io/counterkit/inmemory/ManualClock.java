package io.counterkit.inmemory;

import io.counterkit.spi.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that stands still until a test advances it, for {@link InMemoryOptions.Builder#clock}. It determines the times of entries and readings,
 * and when tokens expire. Deadlines and the cadence of watches are measured in real time. Thread-safe.
 *
 * <pre>{@code
 * ManualClock clock = ManualClock.at(Instant.parse("2026-01-01T00:00:00Z"));
 * InMemoryStore store = InMemoryStore.create(InMemoryOptions.builder().clock(clock).build());
 * clock.advance(Duration.ofHours(25)); // tokens have expired
 * }</pre>
 */
public final class ManualClock implements InstantSource {
    private Instant now;

    private ManualClock(Instant start) {
        now = start;
    }

    /** Creates a clock that shows {@code start} until it is advanced. */
    public static ManualClock at(Instant start) {
        return new ManualClock(start);
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    /**
     * Advances the clock.
     *
     * @throws IllegalArgumentException if {@code time} is negative
     */
    public synchronized void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("advance by " + Durations.inWords(time) + ": use zero or more");
        }
        now = now.plus(time);
    }
}
