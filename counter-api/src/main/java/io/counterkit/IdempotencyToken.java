package io.counterkit;

import io.counterkit.spi.Limits;
import java.io.Serializable;
import java.util.UUID;

/**
 * Names one intended change, so that it is applied once however often it is sent: the same token again, from any thread
 * or process, changes nothing more and gets the first result. There is one namespace of tokens per store. A caller's
 * token is remembered for the retention of the backend, 24 hours unless configured.
 *
 * <p>Take what already identifies the event (an order number, a message id), or {@link #random()} kept with the work.
 *
 * @param value 1 to 512 UTF-8 bytes without control characters or lone surrogates; values that start with
 *     {@code ~ck:} are those that CounterKit hands out itself
 */
public record IdempotencyToken(String value) implements Serializable {
    /**
     * @throws IllegalArgumentException if the value is empty, too long or holds a character that no store keeps
     */
    public IdempotencyToken {
        Limits.checkText("token", value, Limits.MAX_TOKEN_BYTES);
    }

    /** The token with this value. */
    public static IdempotencyToken of(String value) {
        return new IdempotencyToken(value);
    }

    /** A token that nobody else has: 122 random bits. */
    public static IdempotencyToken random() {
        return new IdempotencyToken(UUID.randomUUID().toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
