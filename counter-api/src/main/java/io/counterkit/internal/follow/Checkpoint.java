package io.counterkit.internal.follow;

import io.counterkit.CorruptDataException;
import io.counterkit.Counter;
import io.counterkit.IdempotencyToken;
import io.counterkit.TokenRefusedException;

/**
 * The position of followers, kept as the total of a counter. Several followers may share it.
 *
 * <p>An add moves the total from one position to a later one, and its token contains the first of the two. So only one
 * of all adds from one position is applied, and the total is always a position that a follower has reached. A lost
 * reply needs no resolution: the next read shows whether the add was applied, and until then it is sent with the same
 * token.
 */
public final class Checkpoint {
    /**
     * The most tokens to try from one position. A token is refused if the counter was set back and another delta used
     * it.
     */
    private static final int MAX_ATTEMPTS = 100;

    private final Counter counter;
    private long stored;

    public Checkpoint(Counter counter) {
        this.counter = counter;
    }

    /** Returns the name of the counter. */
    public String name() {
        return counter.name();
    }

    /**
     * Returns the number of the last entry that was processed, 0 if there is none.
     *
     * @throws CorruptDataException if the total of the counter is negative
     */
    public long read() {
        long total = counter.get();
        if (total < 0) {
            throw new CorruptDataException("the checkpoint '" + name() + "' is " + total
                    + ", but positions start at 0: use a counter that nothing else changes");
        }
        stored = total;
        return total;
    }

    /** Returns whether {@code position} is stored, as far as this follower knows. */
    boolean isStored(long position) {
        return position <= stored;
    }

    /** Moves the checkpoint forward to {@code position}, unless it is there or beyond. */
    public void store(long position) {
        if (isStored(position)) {
            return;
        }
        int attempt = 0;
        long total = counter.get();
        while (total < position) {
            try {
                counter.add(position - total, token(total, attempt));
                break;
            } catch (TokenRefusedException e) {
                // Another follower moved the total, or it was set back after this token was used.
                long now = counter.get();
                attempt = now == total ? attempt + 1 : 0;
                total = now;
                if (attempt > MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
        stored = position;
    }

    private IdempotencyToken token(long from, int attempt) {
        return IdempotencyToken.of("follow:" + from + (attempt == 0 ? "" : "." + attempt) + ":" + name());
    }
}
