package io.counterkit.spi;

/**
 * The batches that a store accepts.
 *
 * @param direct whether each request is sent immediately and alone, because combining gains nothing. The other
 *     components are then ignored. Appends to one sequence still follow one another, so that their order is kept
 * @param maxWeight the maximum weight of one batch, 1 or more, as the store's {@code weight} methods count it. The
 *     overhead of the batch itself is not included
 * @param maxInFlight the maximum number of batches of adds in flight at once, 1 or more. Ignored if {@code onePerName}
 *     or {@code callerRuns}, and for sequences: each has one batch in flight
 * @param onePerName whether a batch of adds is for one counter only, with at most one request without a token, and
 *     batches of one counter never overlap; for stores where a counter is a chain of entries
 * @param disjoint whether batches of adds that are in flight at once have no counter in common; for stores that lock a
 *     counter until its batch is committed, where a second batch would only wait for the first
 * @param callerRuns whether the store completes a batch on the calling thread, before its method returns. The API layer
 *     then lets one waiting caller send batches for the others
 */
public record BatchLimits(
        boolean direct, int maxWeight, int maxInFlight, boolean onePerName, boolean disjoint, boolean callerRuns) {
    /** @throws IllegalArgumentException if {@code maxWeight} or {@code maxInFlight} is less than 1 */
    public BatchLimits {
        if (maxWeight < 1 || maxInFlight < 1) {
            throw new IllegalArgumentException("a maximum weight of " + maxWeight + " and " + maxInFlight
                    + " batches in flight: use 1 or more of both");
        }
    }

    /** Returns the limits of a store that takes each request immediately and alone. */
    public static BatchLimits none() {
        return new BatchLimits(true, 1, 1, false, false, false);
    }

    /** Returns limits for batches of any counters, one at a time, that are not run on the calling thread. */
    public static BatchLimits ofWeight(int maxWeight) {
        return new BatchLimits(false, maxWeight, 1, false, false, false);
    }

    /**
     * Returns these limits with several batches in flight at once. While a batch is in flight, the next one starts 2 ms
     * after the last one started, or when no batch is in flight, whichever is sooner. After a full batch the next one
     * starts immediately.
     */
    public BatchLimits withInFlight(int batches) {
        return new BatchLimits(direct, maxWeight, batches, onePerName, disjoint, callerRuns);
    }

    /** Returns these limits with one counter per batch, and one batch per counter at a time. */
    public BatchLimits withOnePerName() {
        return new BatchLimits(direct, maxWeight, maxInFlight, true, disjoint, callerRuns);
    }

    /**
     * Returns these limits with several batches in flight at once, as {@link #withInFlight} does, that have no counter
     * in common.
     */
    public BatchLimits withDisjointInFlight(int batches) {
        return new BatchLimits(direct, maxWeight, batches, onePerName, true, callerRuns);
    }

    /** Returns these limits with batches that run on the calling thread. */
    public BatchLimits withCallerRuns() {
        return new BatchLimits(direct, maxWeight, maxInFlight, onePerName, disjoint, true);
    }
}
