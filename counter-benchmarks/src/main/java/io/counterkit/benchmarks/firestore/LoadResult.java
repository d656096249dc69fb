package io.counterkit.benchmarks.firestore;

import io.counterkit.benchmarks.Statistics;

/**
 * The result of one window of load.
 *
 * @param operations how many there were
 * @param rate operations a second
 * @param p50 the median time of an operation, in milliseconds
 * @param p99 the time that 99 of 100 operations do not exceed, in milliseconds
 */
record LoadResult(long operations, double rate, double p50, double p99) {
    static LoadResult of(long[] nanos, double seconds) {
        Statistics millis = Statistics.ofNanos(nanos);
        return new LoadResult(nanos.length, nanos.length / seconds, millis.percentile(0.5), millis.percentile(0.99));
    }
}
