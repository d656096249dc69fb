package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * The end of a sequence at one moment.
 *
 * @param last the highest number that was used; 0 if none was
 * @param liveCount how many entries were added and not removed
 * @param seal the seal, or null if the sequence is open
 */
public record Tail(long last, long liveCount, @Nullable Seal seal) {
    /** The tail of an empty sequence. */
    public static final Tail EMPTY = new Tail(0, 0, null);
}
