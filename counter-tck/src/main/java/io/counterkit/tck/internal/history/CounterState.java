package io.counterkit.tck.internal.history;

import io.counterkit.IdempotencyToken;
import org.jspecify.annotations.Nullable;

/** The state of a counter. An absent counter has total 0. */
record CounterState(long total, TokenFates tokens, boolean isSealed) implements ObjectState<CounterState> {
    static final CounterState ABSENT = new CounterState(0, TokenFates.NONE, false);

    /** Returns the counter after a change that sets the total, under a token if there is one. */
    CounterState changed(long newTotal, @Nullable IdempotencyToken token) {
        return new CounterState(newTotal, tokens.applied(token, 0), isSealed);
    }

    /** Returns the counter after it was sealed. */
    CounterState sealed(@Nullable IdempotencyToken token) {
        return new CounterState(total, tokens.applied(token, 0), true);
    }

    @Override
    public CounterState withTokens(TokenFates newTokens) {
        return new CounterState(total, newTokens, isSealed);
    }
}
