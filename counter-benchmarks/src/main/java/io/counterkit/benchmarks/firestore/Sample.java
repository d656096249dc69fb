package io.counterkit.benchmarks.firestore;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one window of one contestant showed.
 *
 * @param rate operations a second
 * @param p50 median time of one, in milliseconds
 * @param p99 what 99 of 100 do not exceed
 */
record Sample(double rate, double p50, double p99) {
    static Sample of(long[] nanos, double seconds) {
        Arrays.sort(nanos);
        return new Sample(nanos.length / seconds, at(nanos, 0.5), at(nanos, 0.99));
    }

    private static double at(long[] sorted, double part) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) ((sorted.length - 1) * part)] / 1e6;
    }

    /** The median of one figure over several windows. */
    static double median(List<Sample> samples, ToDoubleFunction<Sample> figure) {
        double[] sorted = samples.stream().mapToDouble(figure).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
