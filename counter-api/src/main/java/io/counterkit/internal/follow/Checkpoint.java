package io.counterkit.internal.follow;

import io.counterkit.CorruptDataException;
import io.counterkit.Counter;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.TokenRefusedException;
import org.jspecify.annotations.Nullable;

/**
 * The position of followers, kept as the total of a counter. Several followers may share it.
 *
 * <p>An add moves the total from one position to a later one, and its token contains the first of the two. So only one
 * of all adds from one position is applied, and the total is always a position that a follower has reached. A lost
 * reply needs no resolution: the next read shows whether the add was applied, and until then it is sent with the same
 * token.
 */
public final class Checkpoint {
    /** The most tokens to try from one position. A token from before the counter was set back moves nothing. */
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

    /**
     * Moves the checkpoint forward to {@code position}, unless it is there or beyond. Reads it after each add: if it was
     * set back, the token of an earlier add may be remembered, and the add then has no effect.
     *
     * @throws NotAppliedException if too many tokens from its total are remembered
     */
    public void store(long position) {
        if (isStored(position)) {
            return;
        }
        int attempt = 0;
        long total = counter.get();
        while (total < position) {
            @Nullable TokenRefusedException refusal = add(position - total, token(total, attempt));
            long now = counter.get();
            attempt = now == total ? attempt + 1 : 0;
            if (attempt > MAX_ATTEMPTS) {
                throw new NotAppliedException(
                        "the checkpoint '" + name() + "' was set back to " + total + " more than " + MAX_ATTEMPTS
                                + " times, and moves again when the tokens of that time have expired",
                        refusal);
            }
            total = now;
        }
        stored = position;
    }

    /** Adds once for this token. Returns the failure if the token was used for another delta. */
    private @Nullable TokenRefusedException add(long delta, IdempotencyToken token) {
        try {
            counter.add(delta, token);
            return null;
        } catch (TokenRefusedException e) {
            return e;
        }
    }

    private IdempotencyToken token(long from, int attempt) {
        return IdempotencyToken.of("follow:" + from + (attempt == 0 ? "" : "." + attempt) + ":" + name());
    }
}
