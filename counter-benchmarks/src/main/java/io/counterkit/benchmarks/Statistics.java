package io.counterkit.benchmarks;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** The median, the percentiles and the range of some numbers. Immutable. */
public final class Statistics {
    private final double[] sorted;

    private Statistics(DoubleStream numbers) {
        sorted = numbers.sorted().toArray();
    }

    /** Returns the statistics of one number of each round. */
    public static <T> Statistics of(Collection<T> rounds, ToDoubleFunction<T> number) {
        return new Statistics(rounds.stream().mapToDouble(number));
    }

    /** Returns the statistics of times, in milliseconds. */
    public static Statistics ofNanos(long[] nanos) {
        return new Statistics(Arrays.stream(nanos).mapToDouble(each -> each / 1e6));
    }

    /** Returns the median, which is the mean of the middle two of an even number. */
    public double median() {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** Returns the number that this part of all does not exceed; not a number if there are none. */
    public double percentile(double part) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) ((sorted.length - 1) * part)];
    }

    /** Formats the median and the range. */
    public String format(String number) {
        return String.format(
                number + " (" + number + "–" + number + ")", median(), sorted[0], sorted[sorted.length - 1]);
    }
}
