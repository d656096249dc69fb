package io.counterkit;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The change was sent and its reply never came: it was applied, or was not, or may still be. Repeating it blindly could
 * apply it twice, so the exception carries the token that covers it. Until the backend's retention has passed (24 hours
 * unless configured), from any process, either
 *
 * <ul>
 *   <li>repeat the same add or append with {@link #token()}: it is then applied exactly once in all, or
 *   <li>call {@link Counters#settle(IdempotencyToken, java.time.Duration)}, which decides: applied, or never to be applied.
 *       For a reset or a deletion this is the way; a seal or an erasure can simply be done again.
 * </ul>
 */
public final class OutcomeUnknownException extends CounterException {
    private static final long serialVersionUID = 1L;

    private final IdempotencyToken token;

    /** Creates one for the change that is covered by {@code token}. */
    public OutcomeUnknownException(String message, IdempotencyToken token, @Nullable Throwable cause) {
        super(message, cause);
        this.token = Objects.requireNonNull(token, "token");
    }

    /** The token that covers the change. Its {@link IdempotencyToken#value()} may be stored and used later on. */
    public IdempotencyToken token() {
        return token;
    }

    @Override
    public Outcome outcome() {
        return Outcome.UNKNOWN;
    }
}
