package io.counterkit.tck.internal.history;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Numbers the calls and answers of a history in their order, and remembers when each occurred. Thread-safe. */
final class Moments {
    /** How exact ages are: the clocks of stores may count whole milliseconds. */
    private static final long EXACTNESS = TimeUnit.MILLISECONDS.toNanos(1);

    private final LongSupplier nanoTime;
    private final List<Long> times = new ArrayList<>();

    Moments(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Returns the number of a call or answer that occurs now: 1, 2, 3, … */
    synchronized long next() {
        times.add(nanoTime.getAsLong());
        return times.size();
    }

    /**
     * Returns the number of the last call or answer before the moment that is {@code age} nanoseconds before a call; 0
     * if there is none.
     */
    synchronized long before(long call, long age) {
        long time = times.get((int) call - 1);
        int last = (int) call - 1;
        while (last > 0 && time - times.get(last - 1) - EXACTNESS <= age) {
            last--;
        }
        return last;
    }
}
