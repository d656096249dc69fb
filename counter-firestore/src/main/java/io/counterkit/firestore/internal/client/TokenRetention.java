package io.counterkit.firestore.internal.client;

import io.counterkit.spi.Durations;
import java.time.Duration;

/**
 * The retention of tokens, and the longest deadline that it allows.
 *
 * @param promised the time that the options state
 */
public record TokenRetention(Duration promised) {
    /**
     * How long Google's client may repeat a commit after the deadline of its caller. Tokens are stored for this much
     * longer than promised, and the retention exceeds every deadline by it.
     */
    public static final Duration MARGIN = Duration.ofMinutes(10);

    /**
     * Checks that tokens are remembered for longer than a change may be sent. Otherwise the change could be applied
     * twice.
     *
     * @throws IllegalArgumentException if {@code deadline} is too long
     */
    public void checkDeadline(Duration deadline) {
        Duration longest = promised.minus(MARGIN);
        if (deadline.compareTo(longest) > 0) {
            throw new IllegalArgumentException("deadline of " + inMinutes(deadline)
                    + ", but tokens are remembered for only " + inMinutes(promised) + ": use a deadline of at most "
                    + inMinutes(longest) + ", or a longer retention");
        }
    }

    /** Rounds up, so that a deadline that is too long never looks short enough. */
    private static String inMinutes(Duration duration) {
        return Durations.inWords(
                Duration.ofMinutes(duration.plusMinutes(1).minusNanos(1).toMinutes()));
    }
}
