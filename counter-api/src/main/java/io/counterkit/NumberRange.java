package io.counterkit;

import java.util.ArrayList;
import java.util.List;

/**
 * The numbers from {@code from} to {@code to}, both inclusive; never empty.
 *
 * @param from the first number, at least 1
 * @param to the last number, at least {@code from}
 */
public record NumberRange(long from, long to) {
    /** @throws IllegalArgumentException if {@code from} is less than 1, or {@code to} is less than {@code from} */
    public NumberRange {
        if (from < 1 || to < from) {
            throw new IllegalArgumentException(
                    "numbers from " + from + " to " + to + ": start at 1 or higher, and do not end before the start");
        }
    }

    /** Returns how many numbers the range has. */
    public long size() {
        return to - from + 1;
    }

    /** Returns whether {@code number} is in this range. */
    public boolean contains(long number) {
        return from <= number && number <= to;
    }

    /**
     * Divides this range into {@code parts} consecutive ranges whose sizes differ by at most one. If there are fewer
     * numbers than parts, each number is a range.
     *
     * @throws IllegalArgumentException if {@code parts} is less than 1
     */
    public List<NumberRange> partition(int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("partition into " + parts + " parts: use 1 or more");
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
