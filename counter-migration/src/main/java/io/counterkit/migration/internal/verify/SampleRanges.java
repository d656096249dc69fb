package io.counterkit.migration.internal.verify;

import io.counterkit.NumberRange;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** Selects the entries of a sequence to compare. */
final class SampleRanges {
    private static final int PAGE = 500;
    private static final int NEIGHBORS = 2;

    private SampleRanges() {}

    /**
     * Returns disjoint, ascending ranges of numbers. They cover the whole sequence if it has at most {@code samples}
     * entries, and otherwise random samples and the entries at both ends and around the move. Leaves out the numbers up
     * to {@code done}.
     *
     * @param moved the last number from before the move
     * @param last the last number
     */
    static Iterator<NumberRange> of(long moved, long done, long last, int samples, RandomGenerator random) {
        if (samples >= last) {
            return LongStream.iterate(done + 1, from -> from <= last, from -> from + PAGE)
                    .mapToObj(from -> new NumberRange(from, Math.min(last, from + PAGE - 1)))
                    .iterator();
        }
        NavigableSet<Long> numbers = new TreeSet<>();
        addNeighbors(1, last, numbers);
        addNeighbors(moved, last, numbers);
        addNeighbors(last, last, numbers);
        random.longs(samples, 1, last + 1).forEach(numbers::add);
        return ranges(numbers.tailSet(done, false)).iterator();
    }

    private static void addNeighbors(long number, long last, NavigableSet<Long> numbers) {
        LongStream.rangeClosed(Math.max(1, number - NEIGHBORS), Math.min(last, number + NEIGHBORS))
                .forEach(numbers::add);
    }

    private static List<NumberRange> ranges(NavigableSet<Long> numbers) {
        List<NumberRange> ranges = new ArrayList<>();
        long from = 0;
        long to = 0;
        for (long number : numbers) {
            if (from > 0 && (number > to + 1 || number - from >= PAGE)) {
                ranges.add(new NumberRange(from, to));
                from = 0;
            }
            from = from == 0 ? number : from;
            to = number;
        }
        if (from > 0) {
            ranges.add(new NumberRange(from, to));
        }
        return ranges;
    }
}
