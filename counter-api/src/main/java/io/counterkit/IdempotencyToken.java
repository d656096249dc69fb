package io.counterkit;

import io.counterkit.spi.Limits;
import java.io.Serializable;
import java.util.UUID;

/**
 * Identifies one intended change, so that it is applied once however often it is sent: a repetition, from any thread or
 * process, changes nothing and returns the first result. All counters and sequences of a store share its tokens, so a
 * token must not be used for two of them. The backend remembers a token for its retention, by default 24 hours.
 *
 * <p>Use an identifier that the event already has, such as an order number or a message id, or store a {@link
 * #random()} token with the work.
 *
 * @param value 1 to 512 UTF-8 bytes without control characters or lone surrogates; the prefix {@code ~ck:} is reserved
 *     for tokens that CounterKit generates
 */
public record IdempotencyToken(String value) implements Serializable {
    /** @throws IllegalArgumentException if the value is empty, too long or has a forbidden character */
    public IdempotencyToken {
        Limits.checkText("token", value, Limits.MAX_TOKEN_BYTES);
    }

    /** Returns the token with this value. */
    public static IdempotencyToken of(String value) {
        return new IdempotencyToken(value);
    }

    /** Returns a unique token of 122 random bits. */
    public static IdempotencyToken random() {
        return new IdempotencyToken(UUID.randomUUID().toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
