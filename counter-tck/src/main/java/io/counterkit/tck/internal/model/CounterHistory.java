package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Records concurrent adds and strong reads of one counter, and checks whether they have a legal order. Each read must
 * lie between the sum that was acknowledged when it began and the sum of the adds that had begun when it ended. Of two
 * reads that do not overlap, the later one must not be smaller. If each delta is a power of two of its own, a total
 * shows which adds it contains, and the check is complete. Deltas are not negative. Thread-safe.
 */
public final class CounterHistory {
    private final Queue<Step> adds = new ConcurrentLinkedQueue<>();
    private final Queue<Step> reads = new ConcurrentLinkedQueue<>();

    /** Carries out and records an add of {@code delta} ≥ 0. */
    public void add(long delta, Runnable add) {
        long start = System.nanoTime();
        add.run();
        added(start, System.nanoTime(), delta);
    }

    /** Carries out and records a strong read. */
    public void read(LongSupplier read) {
        long start = System.nanoTime();
        long total = read.getAsLong();
        read(start, System.nanoTime(), total);
    }

    void added(long start, long end, long delta) {
        adds.add(new Step(start, end, delta));
    }

    void read(long start, long end, long total) {
        reads.add(new Step(start, end, total));
    }

    /**
     * Checks every read. Moments that are equal have no order, so that a read may contain an add which began when the
     * read ended.
     */
    public void check() {
        for (Step read : reads) {
            assertThat(read.value)
                    .as("a strong read, which must lie between the sum of the adds acknowledged before it began and the"
                            + " sum of the adds begun before it ended")
                    .isBetween(sumOf(add -> add.end < read.start), sumOf(add -> add.start <= read.end));
        }
        List<Step> inOrder = reads.stream()
                .sorted(Comparator.comparingLong(Step::value).thenComparing(Step::start))
                .toList();
        long latestStart = Long.MIN_VALUE;
        for (Step read : inOrder) {
            assertThat(read.end)
                    .as(
                            "the end of a strong read of %s, which must not precede the start of a read of less",
                            read.value)
                    .isGreaterThanOrEqualTo(latestStart);
            latestStart = Math.max(latestStart, read.start);
        }
        long bits = adds.stream().mapToLong(Step::value).reduce(0, (some, delta) -> some | delta);
        if (adds.stream().allMatch(add -> Long.bitCount(add.value) == 1) && Long.bitCount(bits) == adds.size()) {
            checkEachAdd(inOrder);
        }
    }

    /** Checks which adds the reads contain, in the order of their totals. */
    private void checkEachAdd(List<Step> inOrder) {
        for (Step read : inOrder) {
            assertContains(read, sumOf(add -> add.end < read.start), "an add that was acknowledged before it began");
            assertThat(read.value & ~sumOf(add -> add.start <= read.end))
                    .as("the part of a strong read of %s that is not from adds begun before it ended", read.value)
                    .isZero();
        }
        for (Step add : adds) {
            long earlier = sumOf(other -> other.end < add.start);
            inOrder.stream()
                    .filter(read -> (read.value & add.value) != 0)
                    .forEach(read -> assertContains(
                            read, earlier, "an add that was acknowledged before the add of " + add.value + " began"));
        }
        long smaller = 0;
        for (Step read : inOrder) {
            assertContains(read, smaller, "an add that a read of a smaller total contains");
            smaller = read.value;
        }
    }

    private static void assertContains(Step read, long sum, String what) {
        assertThat(sum & ~read.value)
                .as("the sum that is missing in a strong read of %s, which must contain %s", read.value, what)
                .isZero();
    }

    private long sumOf(Predicate<Step> some) {
        return adds.stream().filter(some).mapToLong(Step::value).sum();
    }

    /** An add and its delta, or a read and its total. */
    private record Step(long start, long end, long value) {}
}
