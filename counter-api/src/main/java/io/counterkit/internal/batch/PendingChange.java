package io.counterkit.internal.batch;

import io.counterkit.IdempotencyToken;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import org.jspecify.annotations.Nullable;

/** An add or append of a caller, which may share a batch with others. */
public abstract sealed class PendingChange<R> extends PendingRequest<R> permits PendingAdd, PendingAppend {
    private final ChangeTarget target;
    private final @Nullable IdempotencyToken token;

    PendingChange(
            ChangeTarget target, String what, long bytes, @Nullable IdempotencyToken token, PendingRequests pending) {
        super(what, bytes + (token == null ? 0 : bytesOf(token.value())), pending);
        this.target = target;
        this.token = token;
    }

    /** Returns the counter or sequence to change. */
    public final ChangeTarget target() {
        return target;
    }

    /** Returns the caller's token, with which the change may be sent any number of times, or null. */
    final @Nullable IdempotencyToken token() {
        return token;
    }

    /**
     * Returns the token to hand out if the outcome of {@code commit}, with this as member {@code index}, is unknown.
     */
    public final IdempotencyToken coveringToken(Commit commit, int index) {
        return token != null ? token : generatedToken(commit, index).toToken();
    }

    abstract GeneratedToken generatedToken(Commit commit, int index);
}
