package io.counterkit.inmemory;

import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.spi.Limits;
import io.counterkit.spi.NameState;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The total of one counter from its first add to its deletion, reset or seal; or, with a seal, the final total. */
final class CounterCell {
    /** Instead of a total: whoever finds it looks for the cell that took this one's place. */
    private static final long CLOSED = Long.MIN_VALUE;

    /** A total that reaches this, or its negative, stays there: it is not wrapped, and not told. */
    private static final long SATURATED = Long.MAX_VALUE;

    private final AtomicLong total;
    private final @Nullable Seal seal;
    private final NameState state;

    /** An open cell with this total. */
    CounterCell(long total) {
        this(total, new NameState(true, null, null));
    }

    private CounterCell(long total, NameState state) {
        this.total = new AtomicLong(total);
        this.state = state;
        this.seal = state.seal();
    }

    /** The end of a counter; an absent one is sealed too, and stays absent. */
    static CounterCell sealed(boolean isPresent, long total, String forward, Instant now) {
        return new CounterCell(total, new NameState(isPresent, new Seal(forward, total, total), now));
    }

    /** Adds; false because this cell is closed or sealed. */
    boolean isAdded(long delta) {
        if (seal != null) {
            return false;
        }
        long before = total.get();
        if (-Limits.MAX_TOTAL <= before && before <= Limits.MAX_TOTAL && total.compareAndSet(before, before + delta)) {
            return true; // open, and far from where a sum could saturate
        }
        return isAddedInTheEnd(delta);
    }

    private boolean isAddedInTheEnd(long delta) {
        long before = total.get();
        while (before != CLOSED) {
            if (total.compareAndSet(before, sum(before, delta))) {
                return true;
            }
            before = total.get();
        }
        return false;
    }

    private static long sum(long total, long delta) {
        if (total == SATURATED || total == -SATURATED) {
            return total;
        }
        long sum = total + delta;
        boolean overflowed = ((total ^ sum) & (delta ^ sum)) < 0 || sum == CLOSED;
        return !overflowed ? sum : delta > 0 ? SATURATED : -SATURATED;
    }

    /** The total, or null once closed. */
    @Nullable Long total() {
        long now = total.get();
        return now == CLOSED ? null : now;
    }

    /** Lets no more adds in, and returns the total that they came to. */
    long close() {
        return total.getAndSet(CLOSED);
    }

    void checkOpen(String name) {
        if (seal != null) {
            throw new SealedException(name, seal);
        }
    }

    @Nullable Seal seal() {
        return seal;
    }

    NameState state() {
        return state;
    }
}
