package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * Records concurrent adds and strong reads of one counter, and checks them: each read lies between the sum that was
 * acknowledged when it began and the sum of the adds that had begun when it ended, and of two reads that do not
 * overlap, the later one is not smaller. Deltas are not negative. Thread-safe.
 */
public final class CounterHistory {
    private final Queue<Step> adds = new ConcurrentLinkedQueue<>();
    private final Queue<Step> reads = new ConcurrentLinkedQueue<>();

    /** Carries out and records an add of {@code delta} ≥ 0. */
    public void add(long delta, Runnable add) {
        long start = System.nanoTime();
        add.run();
        adds.add(new Step(start, System.nanoTime(), delta));
    }

    /** Carries out and records a strong read. */
    public void read(LongSupplier read) {
        long start = System.nanoTime();
        long value = read.getAsLong();
        reads.add(new Step(start, System.nanoTime(), value));
    }

    /** Checks every read. */
    public void check() {
        List<Step> inOrder =
                reads.stream().sorted((a, b) -> Long.compare(a.start, b.start)).toList();
        for (Step read : inOrder) {
            assertThat(read.value)
                    .as("a strong read, between the adds acknowledged before it began and the adds begun before"
                            + " it ended")
                    .isBetween(sum(read.start, true), sum(read.end, false));
        }
        for (Step read : inOrder) {
            long before = inOrder.stream()
                    .filter(earlier -> earlier.end < read.start)
                    .mapToLong(Step::value)
                    .max()
                    .orElse(0);
            assertThat(read.value)
                    .as("a strong read that began after another one ended")
                    .isGreaterThanOrEqualTo(before);
        }
    }

    /** Returns the sum of the adds that had ended by {@code time}, or that had begun. */
    private long sum(long time, boolean ended) {
        return adds.stream()
                .filter(add -> (ended ? add.end : add.start) < time)
                .mapToLong(Step::value)
                .sum();
    }

    private record Step(long start, long end, long value) {}
}
