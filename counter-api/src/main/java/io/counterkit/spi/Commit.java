package io.counterkit.spi;

import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import java.time.Duration;
import java.util.Base64;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One change on its way to the store, with the token that covers it. Thread-safe. */
public final class Commit extends Call {
    /** What the value of every token starts with that was not a caller's. */
    public static final String TOKEN_PREFIX = "~ck:";

    private final RandomGenerator random;
    private @Nullable IdempotencyToken token;

    /**
     * Creates one.
     *
     * @param timeout the time it has
     * @param random makes the token, if it is asked for; should be cryptographically strong, so that tokens of many
     *     processes never meet
     */
    public Commit(Duration timeout, RandomGenerator random, CountersListener listener) {
        this(timeout.toNanos(), random, listener);
    }

    /** The same with the time in nanoseconds. */
    public Commit(long timeoutNanos, RandomGenerator random, CountersListener listener) {
        super(timeoutNanos, listener);
        this.random = random;
    }

    /**
     * The token of this commit: 128 random bits, made when first asked for. It covers every request that carries no
     * token of a caller, all together; a commit of callers' tokens only needs none. A caller whose wait ends before the
     * answer asks for it, and may resolve it while the change is on its way. So a backend writes it together with the
     * change. It may leave that out only where its {@link BatchLimits#direct() limits are direct}, it answers before
     * its method returns, and the token {@link #isTokenMade() is not made}: then nobody can have left.
     */
    public synchronized IdempotencyToken token() {
        if (token == null) {
            byte[] bits = new byte[16];
            random.nextBytes(bits);
            token = IdempotencyToken.of(
                    TOKEN_PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bits));
        }
        return token;
    }

    /**
     * Whether {@link #token()} was asked for. A backend made of others asks for it before it goes on in another thread, so
     * that whichever of them the change ends in writes the token.
     */
    public synchronized boolean isTokenMade() {
        return token != null;
    }
}
