package io.counterkit.tck.internal.history;

import io.counterkit.Seal;
import io.counterkit.spi.Limits;
import org.jspecify.annotations.Nullable;

/**
 * The state of a counter.
 *
 * @param isPresent whether the counter is present; an absent one has total 0
 * @param total the total. One that has exceeded ±2^63 is lost until a reset or a deletion: {@link Long#MAX_VALUE}
 */
record CounterState(
        boolean isPresent,
        long total,
        TokenResolutions tokens,
        @Nullable Seal seal) implements ObjectState<CounterState> {
    private static final long LOST = Long.MAX_VALUE;

    static final CounterState ABSENT = new CounterState(false, 0, TokenResolutions.NONE, null);

    /** Returns the counter after an add; null if it is sealed. */
    @Nullable CounterState added(long delta) {
        return isSealed() ? null : new CounterState(true, sum(delta), tokens, null);
    }

    private long sum(long delta) {
        if (isLost()) {
            return LOST;
        }
        long sum = Limits.saturatedSum(total, delta);
        return sum == Long.MIN_VALUE ? LOST : sum;
    }

    private boolean isLost() {
        return total == LOST;
    }

    @Override
    public boolean isOutOfRange() {
        return total > Limits.MAX_TOTAL || total < -Limits.MAX_TOTAL;
    }

    /** Returns whether a read may return this total. A store need not know a total that is lost, but it may. */
    boolean shows(long read) {
        return isLost() || (read == total && !isOutOfRange());
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
