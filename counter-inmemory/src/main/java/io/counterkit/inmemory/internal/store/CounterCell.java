package io.counterkit.inmemory.internal.store;

import io.counterkit.Seal;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** One counter. Adds to a counter that is present take no lock. */
final class CounterCell extends StoredName {
    /** The total of a counter that takes no adds, because it is absent or sealed. */
    private static final long CLOSED = Long.MIN_VALUE;

    /**
     * A total that reaches this value or its negative keeps it until a reset. It does not wrap around and cannot be
     * read.
     */
    private static final long SATURATED = Long.MAX_VALUE;

    private final AtomicLong total = new AtomicLong(CLOSED);
    private boolean isPresent;
    private long sealedTotal;

    CounterCell(String name, NameTable<?> table) {
        super(name, table);
    }

    /** Adds to a counter that is present and not sealed; returns false for any other. */
    boolean tryAdd(long delta) {
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
        if (Math.abs(total) <= Limits.MAX_TOTAL) {
            return total + delta; // the usual case, which cannot overflow
        }
        return Math.abs(total) == SATURATED ? total : Math.max(-SATURATED, Limits.saturatedSum(total, delta));
    }

    /** Adds, after creating the counter if it is absent. */
    void addOrCreate(long delta) {
        while (!tryAdd(delta)) {
            if (tryCreate(delta)) {
                return;
            }
        }
    }

    /** Creates the counter with its first delta, or returns false if it is present. */
    private synchronized boolean tryCreate(long delta) {
        checkOpen();
        if (isPresent) {
            return false;
        }
        isPresent = true;
        updateListing(); // a reader that sees the name in the list waits here for the total
        total.set(delta);
        return true;
    }

    /** Returns the total, which may be out of range; 0 if the counter is absent. */
    long total() {
        long open = total.get();
        return open != CLOSED ? open : closedTotal();
    }

    private synchronized long closedTotal() {
        long open = total.get();
        return open != CLOSED ? open : sealedTotal;
    }

    /** Returns the total of a counter that is present. */
    synchronized Optional<Long> totalIfPresent() {
        return isPresent ? Optional.of(total()) : Optional.empty();
    }

    synchronized void reset() {
        checkOpen();
        if (isPresent) {
            total.set(0);
        }
    }

    synchronized void delete() {
        checkOpen();
        total.set(CLOSED);
        isPresent = false;
        updateListing();
    }

    @Override
    boolean isPresent() {
        return isPresent;
    }

    @Override
    boolean isListed() {
        return isPresent;
    }

    @Override
    Seal close(String forward) {
        sealedTotal = isPresent ? total.getAndSet(CLOSED) : 0;
        return new Seal(forward, sealedTotal, sealedTotal);
    }

    @Override
    void startWith(ImportedState imported) {
        if (imported.isPresent()) {
            isPresent = true;
            updateListing();
            total.set(Math.max(-SATURATED, imported.value()));
        }
    }
}
