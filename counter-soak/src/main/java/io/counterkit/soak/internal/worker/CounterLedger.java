package io.counterkit.soak.internal.worker;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Readings;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sums of the deltas that are known to be applied to a counter, and of those that may be. A read must lie between
 * the two; at the end of a soak they are equal. Thread-safe.
 */
final class CounterLedger {
    private final AtomicLong surelyAdded = new AtomicLong();
    private final AtomicLong surelySubtracted = new AtomicLong();
    private final AtomicLong maybeAdded = new AtomicLong();
    private final AtomicLong maybeSubtracted = new AtomicLong();
    private final Counter counter;
    private final Findings findings;

    CounterLedger(Counter counter, Findings findings) {
        this.counter = counter;
        this.findings = findings;
    }

    Counter counter() {
        return counter;
    }

    /** Records an add before it is sent. */
    void begin(long delta) {
        (delta > 0 ? maybeAdded : maybeSubtracted).addAndGet(delta);
    }

    void applied(long delta) {
        (delta > 0 ? surelyAdded : surelySubtracted).addAndGet(delta);
    }

    /** Records that an add was not applied and never will be. */
    void notApplied(long delta) {
        (delta > 0 ? maybeAdded : maybeSubtracted).addAndGet(-delta);
    }

    void report(String difference) {
        findings.add(counter.name(), difference);
    }

    /** Reads the counter while workers add to it. */
    void read() {
        long leastAdded = surelyAdded.get();
        long leastSubtracted = surelySubtracted.get();
        long total = counter.get();
        long least = leastAdded + maybeSubtracted.get();
        long most = maybeAdded.get() + leastSubtracted;
        if (total < least) {
            report("a read returned " + total + ", but the total was at least " + least);
        } else if (total > most) {
            report("a read returned " + total + ", but the total was at most " + most);
        }
    }

    /** Compares the total that was read after the last add. */
    void check(Readings readings) {
        long expected = surelyAdded.get() + surelySubtracted.get();
        if (maybeAdded.get() + maybeSubtracted.get() != expected) {
            report("the outcome of some adds could not be resolved");
        }
        try {
            long total = readings.get(counter.name()).value();
            if (total != expected) {
                report("the total is " + total + ", but " + expected + " was applied");
            }
        } catch (CounterException e) {
            report("the total cannot be read: " + e.getMessage());
        }
    }
}
