package io.counterkit.firestore.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What is known about one counter whose adds are distinct powers of four. In base 4, each digit of the total then says
 * how often one add was applied, also if the counter is cleared meanwhile. Thread-safe.
 */
final class StampLedger {
    /** 4 to the power of this is the greatest delta. */
    static final int MOST_ADDS = 26;

    private final AtomicLong clock;
    private final List<Add> adds = new ArrayList<>();
    private final List<Clear> clears = new ArrayList<>();

    StampLedger(AtomicLong clock) {
        this.clock = clock;
    }

    /** An add; its outcome is null until it is known. */
    final class Add {
        final long delta;
        private final long start = clock.incrementAndGet();
        private long end = Long.MAX_VALUE;
        private @Nullable Boolean isApplied;

        private Add(int digit) {
            delta = 1L << (2 * digit);
        }

        void end(boolean applied) {
            synchronized (StampLedger.this) {
                end = clock.incrementAndGet();
                isApplied = applied;
            }
        }
    }

    private final class Clear {
        private final long start = clock.incrementAndGet();
        private long end = Long.MAX_VALUE;
    }

    /** Begins an add, or returns null if there were enough. */
    synchronized @Nullable Add begin() {
        if (adds.size() == MOST_ADDS) {
            return null;
        }
        Add add = new Add(adds.size());
        adds.add(add);
        return add;
    }

    /** Runs a reset or a deletion, which may be applied or not. */
    void clear(Runnable change) {
        Clear clear = new Clear();
        synchronized (this) {
            clears.add(clear);
        }
        change.run();
        synchronized (this) {
            clear.end = clock.incrementAndGet();
        }
    }

    synchronized int size() {
        return adds.size();
    }

    synchronized long applied() {
        return adds.stream().filter(add -> Boolean.TRUE.equals(add.isApplied)).count();
    }

    /** Returns what is wrong with a total, or null. */
    synchronized @Nullable String check(long total) {
        for (int i = 0; i < adds.size(); i++) {
            Add add = adds.get(i);
            long times = (total >>> (2 * i)) & 3;
            if (add.isApplied == null) {
                return "add " + i + " has no outcome";
            }
            boolean mayBeCleared = clears.stream().anyMatch(clear -> clear.end > add.start);
            boolean isCleared = clears.stream().anyMatch(clear -> clear.end < Long.MAX_VALUE && clear.start > add.end);
            if (times > 1
                    || (times == 1 && isCleared)
                    || (times == 1 && !add.isApplied)
                    || (times == 0 && add.isApplied && !mayBeCleared)) {
                return "add " + i + " of " + adds.size() + ", " + (add.isApplied ? "applied" : "not applied")
                        + (mayBeCleared ? ", perhaps cleared" : "") + ", counts " + times + " times in "
                        + Long.toString(total, 4);
            }
        }
        return total >>> (2 * adds.size()) == 0 ? null : "the total " + Long.toString(total, 4) + " is too large";
    }
}
