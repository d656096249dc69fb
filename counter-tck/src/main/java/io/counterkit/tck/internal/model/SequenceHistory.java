package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * Records the numbers that concurrent appends to one sequence returned, and checks them: they are 1..n, each once, and
 * an append that began after another one ended has the higher number. Thread-safe.
 */
public final class SequenceHistory {
    private final Queue<Step> appends = new ConcurrentLinkedQueue<>();

    /** Carries out and records an append. */
    public long append(LongSupplier append) {
        long start = System.nanoTime();
        long number = append.getAsLong();
        appended(start, System.nanoTime(), number);
        return number;
    }

    void appended(long start, long end, long number) {
        appends.add(new Step(start, end, number));
    }

    /** Checks the numbers, and that the sequence has exactly these entries, with the live counts of their changes. */
    public void check(Sequence sequence) {
        check(all(sequence), sequence.tail());
    }

    void check(List<Entry> entries, Tail tail) {
        List<Long> numbers = appends.stream().map(Step::number).sorted().toList();
        checkOneTo(numbers.size(), numbers, "the sorted numbers that the appends returned");
        checkOneTo(numbers.size(), entries.stream().map(Entry::number).toList(), "the numbers of the entries");
        long live = 0;
        for (Entry entry : entries) {
            live += entry.change().delta();
            assertThat(entry.liveCount())
                    .as("the live count of entry %s", entry.number())
                    .isEqualTo(live);
        }
        assertThat(tail.last()).as("the last number").isEqualTo(numbers.size());
        assertThat(tail.liveCount()).as("the live count").isEqualTo(live);
        List<Step> inOrder =
                appends.stream().sorted(Comparator.comparingLong(Step::number)).toList();
        long latestStart = Long.MIN_VALUE;
        for (Step append : inOrder) {
            assertThat(append.end)
                    .as(
                            "the end of append %s, which must not precede the start of an append with a lower number",
                            append.number)
                    .isGreaterThanOrEqualTo(latestStart);
            latestStart = Math.max(latestStart, append.start);
        }
    }

    /** Checks that {@code numbers} are 1..n in this order. A failure states the differences instead of all numbers. */
    public static void checkOneTo(long n, List<Long> numbers, String what) {
        List<Long> expected = firstNumbers(n);
        if (numbers.equals(expected)) {
            return;
        }
        List<Long> missing = new ArrayList<>(expected);
        missing.removeAll(numbers);
        Set<Long> seen = new HashSet<>();
        List<Long> surplus = numbers.stream()
                .filter(number -> number < 1 || number > n || !seen.add(number))
                .toList();
        int place = 0;
        while (place < Math.min(n, numbers.size()) && numbers.get(place).equals(expected.get(place))) {
            place++;
        }
        throw new AssertionError(what + " are not 1 to " + n + ": missing " + missing + ", surplus " + surplus
                + ", first difference at position " + (place + 1) + ": "
                + numbers.subList(place, Math.min(place + 5, numbers.size())) + "…");
    }

    /** Returns 1..n. */
    public static List<Long> firstNumbers(long n) {
        List<Long> numbers = new ArrayList<>();
        for (long number = 1; number <= n; number++) {
            numbers.add(number);
        }
        return numbers;
    }

    public static List<Long> numbersIn(Sequence sequence) {
        return all(sequence).stream().map(Entry::number).toList();
    }

    /** Reads all entries, in pages. */
    public static List<Entry> all(Sequence sequence) {
        List<Entry> entries = new ArrayList<>();
        long last = sequence.last();
        for (long from = 1; from <= last; from += 1000) {
            entries.addAll(sequence.read(from, Math.min(last, from + 999)));
        }
        return entries;
    }

    private record Step(long start, long end, long number) {}
}
