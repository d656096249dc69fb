package io.counterkit.tck.internal.history;

import io.counterkit.Seal;
import org.jspecify.annotations.Nullable;

/**
 * The state of a counter.
 *
 * @param isPresent whether the counter is present; an absent one has total 0
 */
record CounterState(
        boolean isPresent,
        long total,
        TokenResolutions tokens,
        @Nullable Seal seal) implements ObjectState<CounterState> {
    static final CounterState ABSENT = new CounterState(false, 0, TokenResolutions.NONE, null);

    /** Returns the counter after an add; null if it is sealed. */
    @Nullable CounterState added(long delta) {
        return isSealed() ? null : new CounterState(true, total + delta, tokens, null);
    }

    /** Returns the counter after a reset; null if it is sealed. */
    @Nullable CounterState reset() {
        return isSealed() ? null : new CounterState(isPresent, 0, tokens, null);
    }

    /** Returns the counter after a deletion; null if it is sealed. */
    @Nullable CounterState deleted() {
        return isSealed() ? null : new CounterState(false, 0, tokens, null);
    }

    @Override
    public @Nullable CounterState sealed(String forward) {
        if (isSealed()) {
            return canSeal(forward) ? this : null;
        }
        return new CounterState(isPresent, total, tokens, new Seal(forward, total, total));
    }

    @Override
    public boolean isListed() {
        return isPresent;
    }

    @Override
    public CounterState withTokens(TokenResolutions newTokens) {
        return new CounterState(isPresent, total, newTokens, seal);
    }
}
