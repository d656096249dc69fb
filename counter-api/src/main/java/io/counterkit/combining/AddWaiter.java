package io.counterkit.combining;

import io.counterkit.IdempotencyToken;
import org.jspecify.annotations.Nullable;

/** A caller's add. */
public final class AddWaiter extends Waiter<Void> {
    final String name;
    final long delta;
    final @Nullable IdempotencyToken token;

    /** An add of checked arguments. */
    public AddWaiter(String name, long delta, @Nullable IdempotencyToken token, Outstanding outstanding) {
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
