package io.counterkit;

import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of {@link Sequence#follow}. Immutable.
 *
 * @param cadence the pause between two reads of the tail once all known entries are processed, and between two writes
 *     of a checkpoint: 1 ms to 1 day. If the backend listens for entries, a new entry ends the pause, but not before
 *     one cadence or one second, whichever is shorter, has passed since the last read. Without new entries, the tail is
 *     then read every 60 cadences or every minute, whichever is sooner, but never more often than once per cadence
 * @param failures receives each failure, on the follower's thread: the exception that the consumer throws, or the
 *     {@link CounterException} if the sequence cannot be read or the checkpoint cannot be stored. The follower
 *     continues. If null, failures are logged
 */
public record FollowOptions(Duration cadence, @Nullable Consumer<? super Throwable> failures) {
    private static final FollowOptions DEFAULTS = new FollowOptions(Duration.ofSeconds(1), null);

    /** @throws IllegalArgumentException if {@code cadence} is out of range */
    public FollowOptions {
        Limits.checkDuration("cadence", cadence);
    }

    /**
     * Returns options with a cadence of one second, at which an idle follower is cheap on every store. Failures are
     * logged.
     */
    public static FollowOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Returns these options with another cadence.
     *
     * @throws IllegalArgumentException if {@code cadence} is out of range
     */
    public FollowOptions withCadence(Duration cadence) {
        return new FollowOptions(cadence, failures);
    }

    /**
     * Returns these options with a consumer of failures. Exceptions that it throws are logged and otherwise ignored.
     */
    public FollowOptions withFailures(Consumer<? super Throwable> failures) {
        return new FollowOptions(cadence, Objects.requireNonNull(failures, "failures"));
    }
}
