package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * The idempotency token already stands for something else: for another delta, another name or another change, or it was
 * resolved as not applied and will never be. Nothing was applied by this call: use a new token.
 */
public final class TokenRefusedException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    /** Creates one whose message says what was attempted and what to do instead. */
    public TokenRefusedException(String message) {
        this(message, null);
    }

    /** Creates one with the store's own error as its cause. */
    public TokenRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
