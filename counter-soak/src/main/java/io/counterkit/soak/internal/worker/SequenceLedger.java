package io.counterkit.soak.internal.worker;

import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.Limits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The appends that were applied to a sequence, by number, and how many more may have been. The sequence must hold each
 * of them once and unchanged. Thread-safe.
 */
final class SequenceLedger {
    private final Map<Long, PlannedAppend> applied = new HashMap<>();
    private final Sequence sequence;
    private final Findings findings;
    private long begun;
    private long highest;

    SequenceLedger(Sequence sequence, Findings findings) {
        this.sequence = sequence;
        this.findings = findings;
    }

    Sequence sequence() {
        return sequence;
    }

    /**
     * Records an append before it is sent. Returns the highest known number, which the number of this append must
     * exceed.
     */
    synchronized long begin() {
        begun++;
        return highest;
    }

    synchronized void applied(PlannedAppend planned, long number, long floor) {
        if (applied.putIfAbsent(number, planned) != null) {
            report("number " + number + " was assigned twice");
        } else if (number <= floor) {
            report("number " + number + " was assigned to an append that began after number " + floor
                    + " was assigned");
        }
        highest = Math.max(highest, number);
    }

    /** Records that an append was not applied and never will be. */
    synchronized void notApplied() {
        begun--;
    }

    void report(String difference) {
        findings.add(sequence.name(), difference);
    }

    private synchronized long highest() {
        return highest;
    }

    private synchronized long begun() {
        return begun;
    }

    /** Reads the tail while workers append. */
    void readTail() {
        long least = highest();
        long last = sequence.last();
        long most = begun();
        if (last < least) {
            report("the last number was read as " + last + ", but " + least + " was assigned before");
        } else if (last > most) {
            report("the last number was read as " + last + ", but only " + most + " appends had begun");
        }
    }

    /** Compares the whole sequence after the last append. */
    synchronized void check() {
        if (begun != applied.size()) {
            report("the outcome of " + (begun - applied.size()) + " appends could not be resolved");
        }
        Tail tail = Backoff.retrying(sequence::tail);
        if (tail.last() != applied.size()) {
            report("the last number is " + tail.last() + ", but " + applied.size() + " entries were appended");
        }
        long live = 0;
        for (long from = 1; from <= tail.last(); from += Limits.MAX_PAGE) {
            long first = from;
            long last = Math.min(tail.last(), from + Limits.MAX_PAGE - 1);
            List<Entry> page = Backoff.retrying(() -> sequence.read(first, last));
            if (page.size() != last - first + 1) {
                report("numbers " + first + " to " + last + " have " + page.size() + " entries");
            }
            for (int i = 0; i < page.size(); i++) {
                live += page.get(i).change().delta();
                check(page.get(i), first + i, live);
            }
        }
        if (tail.liveCount() != live) {
            report("the live count is " + tail.liveCount() + ", but " + live + " entries are live");
        }
    }

    private void check(Entry entry, long number, long live) {
        PlannedAppend planned = applied.get(number);
        if (entry.number() != number) {
            report("entry " + entry.number() + " is stored under number " + number);
        } else if (planned == null) {
            report("number " + number + " was assigned, but to no append that is known to be applied");
        } else if (!planned.matches(entry)) {
            report("number " + number + " should hold " + planned + ", but holds " + entry);
        } else if (entry.liveCount() != live) {
            report("number " + number + " has the live count " + entry.liveCount() + ", but " + live + " are live");
        }
    }
}
