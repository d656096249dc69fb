package io.counterkit.cli.soak;

import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.cli.backend.Retries;
import io.counterkit.spi.Limits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is known of one sequence from outside: which append got which number, and how many may still get one.
 * Thread-safe.
 */
final class SequenceBook {
    private final Map<Long, Planned> applied = new HashMap<>();
    private final Sequence sequence;
    private final Findings findings;
    private long begun;
    private long highest;

    SequenceBook(Sequence sequence, Findings findings) {
        this.sequence = sequence;
        this.findings = findings;
    }

    Sequence sequence() {
        return sequence;
    }

    /** An append is going to be sent; returns the highest number known, which its own has to be above. */
    synchronized long begin() {
        begun++;
        return highest;
    }

    /** It was applied under this number. */
    synchronized void applied(Planned planned, long number, long floor) {
        if (applied.putIfAbsent(number, planned) != null) {
            found("number " + number + " was given out twice");
        } else if (number <= floor) {
            found("number " + number + " was given to an append that began when " + floor + " was there already");
        }
        highest = Math.max(highest, number);
    }

    /** It was not, and never will be. */
    synchronized void notApplied() {
        begun--;
    }

    void found(String text) {
        findings.add(sequence.name(), text);
    }

    private synchronized long highest() {
        return highest;
    }

    private synchronized long begun() {
        return begun;
    }

    /** Reads the tail while others append. */
    void readTail() {
        long least = highest();
        long last = sequence.last();
        long most = begun();
        if (last < least) {
            found("the last number was read as " + last + ", but " + least + " was given out before");
        } else if (last > most) {
            found("the last number was read as " + last + ", but only " + most + " appends had begun");
        }
    }

    /** Compares the whole sequence, when nobody appends any more. */
    synchronized void check() {
        if (begun != applied.size()) {
            found("what became of " + (begun - applied.size()) + " appends could not be found out");
        }
        Tail tail = Retries.reading(sequence::tail);
        if (tail.last() != applied.size()) {
            found("the last number is " + tail.last() + ", but " + applied.size() + " entries were appended");
        }
        long live = 0;
        for (long from = 1; from <= tail.last(); from += Limits.MAX_PAGE) {
            long first = from;
            long last = Math.min(tail.last(), from + Limits.MAX_PAGE - 1);
            List<Entry> page = Retries.reading(() -> sequence.read(first, last));
            if (page.size() != last - first + 1) {
                found("numbers " + first + " to " + last + " have " + page.size() + " entries");
            }
            for (int i = 0; i < page.size(); i++) {
                live += page.get(i).change().delta();
                check(page.get(i), first + i, live);
            }
        }
        if (tail.liveCount() != live) {
            found("the live count is " + tail.liveCount() + ", but " + live + " entries are live");
        }
    }

    private void check(Entry entry, long number, long live) {
        Planned planned = applied.get(number);
        if (entry.number() != number) {
            found("where number " + number + " should be stands " + entry.number());
        } else if (planned == null) {
            found("number " + number + " was given to no append that is known to be applied");
        } else if (!planned.matches(entry)) {
            found("number " + number + " should hold " + planned + ", but holds " + entry);
        } else if (entry.liveCount() != live) {
            found("number " + number + " says that " + entry.liveCount() + " are live, but " + live + " are");
        }
    }
}
