package io.counterkit.internal.batch;

import io.counterkit.IdempotencyToken;
import org.jspecify.annotations.Nullable;

/** A caller's add. */
public final class PendingAdd extends PendingRequest<Void> {
    final String name;
    final long delta;
    final @Nullable IdempotencyToken token;

    /** An add of checked arguments. */
    public PendingAdd(String name, long delta, @Nullable IdempotencyToken token, PendingRequests outstanding) {
        super("add " + delta + " to '" + name + "'", bytesOf(token), outstanding);
        this.name = name;
        this.delta = delta;
        this.token = token;
    }

    /** The bytes that an add takes in the queue besides its name. */
    public static long bytesOf(@Nullable IdempotencyToken token) {
        return token == null ? 0 : bytesOf(token.value());
    }
}
