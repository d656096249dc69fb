package io.counterkit.tck.internal.history;

import io.counterkit.IdempotencyToken;
import org.jspecify.annotations.Nullable;

/**
 * The state of a counter.
 *
 * @param isPresent whether the counter is present; an absent one has total 0
 * @param forward the address of the seal; null if the counter is not sealed
 */
record CounterState(
        boolean isPresent,
        long total,
        TokenFates tokens,
        @Nullable String forward) implements ObjectState<CounterState> {
    static final CounterState ABSENT = new CounterState(false, 0, TokenFates.NONE, null);

    /** Returns the counter after an add, under a token if there is one. A sealed counter stays as it is. */
    CounterState added(long delta, @Nullable IdempotencyToken token) {
        return isSealed() ? this : new CounterState(true, total + delta, tokens.applied(token, 0), null);
    }

    /** Returns the counter after a reset. A sealed counter stays as it is. */
    CounterState reset(@Nullable IdempotencyToken token) {
        return isSealed() ? this : new CounterState(isPresent, 0, tokens.applied(token, 0), null);
    }

    /** Returns the counter after a deletion. A sealed counter stays as it is. */
    CounterState deleted(@Nullable IdempotencyToken token) {
        return isSealed() ? this : new CounterState(false, 0, tokens.applied(token, 0), null);
    }

    /** Returns the counter after it was sealed. One that is sealed with another address stays as it is. */
    CounterState sealed(String address, @Nullable IdempotencyToken token) {
        return forward != null && !forward.equals(address)
                ? this
                : new CounterState(isPresent, total, tokens.applied(token, 0), address);
    }

    @Override
    public boolean isSealed() {
        return forward != null;
    }

    @Override
    public CounterState withTokens(TokenFates newTokens) {
        return new CounterState(isPresent, total, newTokens, forward);
    }
}
