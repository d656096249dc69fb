package io.counterkit;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a change was sent and no reply arrived: it was applied, or was not, or still may be. Repeating the call
 * without a token could apply the change twice. Within the backend's retention (24 hours by default), any process can
 *
 * <ul>
 *   <li>repeat the same add or append with {@link #token()}, so that the change is applied exactly once in total, or
 *   <li>call {@link Counters#settle(IdempotencyToken, java.time.Duration)}, which decides whether the change was
 *       applied. Use this after a reset or a deletion; a seal or an erasure can simply be repeated.
 * </ul>
 */
public final class OutcomeUnknownException extends CounterException {
    private static final long serialVersionUID = 1L;

    private final IdempotencyToken token;

    public OutcomeUnknownException(String message, IdempotencyToken token, @Nullable Throwable cause) {
        super(message, cause);
        this.token = Objects.requireNonNull(token, "token");
    }

    /** Returns the token that covers the change. Its {@link IdempotencyToken#value()} may be stored and used later. */
    public IdempotencyToken token() {
        return token;
    }

    @Override
    public Outcome outcome() {
        return Outcome.UNKNOWN;
    }
}
