package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * What many threads did to one counter, and whether that can be: each strong read has to lie between what was surely
 * applied when it began and what was possibly applied when it ended; and of two reads that do not overlap, the later one
 * must not show less, as long as nothing negative is added. Thread-safe.
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
                    .as(
                            "a strong read; at least what was acknowledged when it began, at most what had begun when it ended")
                    .isBetween(sum(read.start, true), sum(read.end, false));
        }
        for (Step read : inOrder) {
            long before = inOrder.stream()
                    .filter(earlier -> earlier.end < read.start)
                    .mapToLong(Step::value)
                    .max()
                    .orElse(0);
            assertThat(read.value)
                    .as("a strong read that began after another had ended")
                    .isGreaterThanOrEqualTo(before);
        }
    }

    /** The adds that had ended by then, or those that had begun. */
    private long sum(long time, boolean ended) {
        return adds.stream()
                .filter(add -> (ended ? add.end : add.start) < time)
                .mapToLong(Step::value)
                .sum();
    }

    private record Step(long start, long end, long value) {}
}
