package io.counterkit.spi;

/**
 * How a store takes its batches.
 *
 * @param direct whether every request is sent at once and alone, because waiting for others gains nothing; the rest then
 *     has no effect. An append waits only while another one to its sequence is on its way, so that the order stays
 * @param maxWeight the most weight that one batch carries, as the store's {@code weight} methods count it; what a batch
 *     takes besides its requests is to be left out of it
 * @param maxInFlight how many batches of adds may be on their way at once, whatever counters they hold; of no account
 *     where {@code onePerName} or {@code callerRuns}, and for sequences, of which each has one batch on its way
 * @param onePerName whether a batch of adds holds one counter only, with at most one request without a token, and
 *     batches of one counter never overlap, as where a counter is a chain of entries
 * @param callerRuns whether a batch is carried out on the thread that sends it, before the call returns; the API layer
 *     then lets one waiting caller lead for the others
 */
public record BatchLimits(boolean direct, int maxWeight, int maxInFlight, boolean onePerName, boolean callerRuns) {
    public BatchLimits {
        if (maxWeight < 1 || maxInFlight < 1) {
            throw new IllegalArgumentException(
                    "a batch weighs 1 or more and 1 or more are in flight, not " + maxWeight + " and " + maxInFlight);
        }
    }

    /** No batches: each request goes at once and alone. */
    public static BatchLimits none() {
        return new BatchLimits(true, 1, 1, false, false);
    }

    /** Batches of up to this weight, one at a time, with any counters, carried out elsewhere than on the caller. */
    public static BatchLimits ofWeight(int maxWeight) {
        return new BatchLimits(false, maxWeight, 1, false, false);
    }

    /** The same with several batches on their way at once. */
    public BatchLimits withInFlight(int batches) {
        return new BatchLimits(direct, maxWeight, batches, onePerName, callerRuns);
    }

    /** The same with one counter a batch, and no two batches of one counter at once. */
    public BatchLimits withOnePerName() {
        return new BatchLimits(direct, maxWeight, maxInFlight, true, callerRuns);
    }

    /** The same with batches carried out on the thread that sends them. */
    public BatchLimits withCallerRuns() {
        return new BatchLimits(direct, maxWeight, maxInFlight, onePerName, true);
    }
}
