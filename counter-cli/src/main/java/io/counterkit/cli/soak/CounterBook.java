package io.counterkit.cli.soak;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Readings;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is known of one counter from outside: what was surely applied to it, and what may have been. A read has to lie
 * between the two, and in the end they meet. Thread-safe.
 */
final class CounterBook {
    private final AtomicLong surelyAdded = new AtomicLong();
    private final AtomicLong surelyTaken = new AtomicLong();
    private final AtomicLong maybeAdded = new AtomicLong();
    private final AtomicLong maybeTaken = new AtomicLong();
    private final Counter counter;
    private final Findings findings;

    CounterBook(Counter counter, Findings findings) {
        this.counter = counter;
        this.findings = findings;
    }

    Counter counter() {
        return counter;
    }

    /** An add is going to be sent. */
    void begin(long delta) {
        (delta > 0 ? maybeAdded : maybeTaken).addAndGet(delta);
    }

    /** It was applied. */
    void applied(long delta) {
        (delta > 0 ? surelyAdded : surelyTaken).addAndGet(delta);
    }

    /** It was not, and never will be. */
    void notApplied(long delta) {
        (delta > 0 ? maybeAdded : maybeTaken).addAndGet(-delta);
    }

    void found(String text) {
        findings.add(counter.name(), text);
    }

    /** Reads the counter while others add to it. */
    void read() {
        long leastAdded = surelyAdded.get();
        long leastTaken = surelyTaken.get();
        long total = counter.get();
        long least = leastAdded + maybeTaken.get();
        long most = maybeAdded.get() + leastTaken;
        if (total < least) {
            found("a read gave " + total + ", but at least " + least + " was there");
        } else if (total > most) {
            found("a read gave " + total + ", but at most " + most + " can have been there");
        }
    }

    /** Compares the total that was read when nobody added to it any more. */
    void check(Readings readings) {
        long expected = surelyAdded.get() + surelyTaken.get();
        if (maybeAdded.get() + maybeTaken.get() != expected) {
            found("what became of some adds could not be found out");
        }
        try {
            long total = readings.get(counter.name()).value();
            if (total != expected) {
                found("the total is " + total + ", but " + expected + " was applied");
            }
        } catch (CounterException e) {
            found("the total cannot be read: " + e.getMessage());
        }
    }
}
