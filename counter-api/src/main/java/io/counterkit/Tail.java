package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * The end of a sequence, all three read at one moment.
 *
 * @param last the highest number given out; 0 when none was
 * @param liveCount how many entries were added and not removed
 * @param seal the seal, or null while the sequence is open
 */
public record Tail(long last, long liveCount, @Nullable Seal seal) {
    /** The tail of a sequence that nothing was appended to. */
    public static final Tail EMPTY = new Tail(0, 0, null);
}
