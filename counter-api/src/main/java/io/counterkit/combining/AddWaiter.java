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
        super("add " + delta + " to '" + name + "'", outstanding);
        this.name = name;
        this.delta = delta;
        this.token = token;
    }
}
