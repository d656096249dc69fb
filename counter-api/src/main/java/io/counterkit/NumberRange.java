package io.counterkit;

import java.util.ArrayList;
import java.util.List;

/**
 * The numbers from {@code from} to {@code to}, both included; never empty.
 *
 * @param from the first number, at least 1
 * @param to the last number, at least {@code from}
 */
public record NumberRange(long from, long to) {
    public NumberRange {
        if (from < 1 || to < from) {
            throw new IllegalArgumentException("no numbers from " + from + " to " + to
                    + ": a range starts at 1 or higher and ends where it starts" + " or later");
        }
    }

    /** How many numbers there are. */
    public long size() {
        return to - from + 1;
    }

    /** Whether {@code number} lies within. */
    public boolean contains(long number) {
        return from <= number && number <= to;
    }

    /**
     * Cuts this range into at most {@code parts} ranges that follow one another and whose sizes differ by one at most;
     * as many as there are numbers, if that is fewer.
     *
     * @throws IllegalArgumentException if {@code parts} is less than 1
     */
    public List<NumberRange> partition(int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("cannot cut into " + parts + " parts: ask for 1 or more");
        }
        int count = (int) Math.min(parts, size());
        long whole = size() / count;
        long longer = size() % count;
        List<NumberRange> ranges = new ArrayList<>(count);
        long start = from;
        for (int i = 0; i < count; i++) {
            long length = i < longer ? whole + 1 : whole;
            ranges.add(new NumberRange(start, start + length - 1));
            start += length;
        }
        return List.copyOf(ranges);
    }
}
