package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an idempotency token was used before for another delta, name or change, or was resolved as not applied.
 * Nothing was applied by this call. Use a new token.
 */
public final class TokenRefusedException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception for a token that was used before.
     *
     * @param attempted the refused change, for the message, such as "add of 5 to 'likes'"
     * @param token the token
     * @param resolution the change that the token was used for
     */
    public TokenRefusedException(String attempted, IdempotencyToken token, Resolution resolution) {
        this(attempted + ": token " + token + " stands for " + resolution + "; use another token");
    }

    /** Creates an exception. The message says what was attempted and what to do instead. */
    public TokenRefusedException(String message) {
        this(message, null);
    }

    public TokenRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
