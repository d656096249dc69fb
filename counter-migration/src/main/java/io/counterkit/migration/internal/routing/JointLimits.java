package io.counterkit.migration.internal.routing;

import io.counterkit.spi.BatchLimits;

/**
 * Batches that both stores take. A batch of adds holds one counter, so that it never touches both stores: the token of a
 * commit that was applied at one of them would say so of the adds that wait for the other one too.
 */
final class JointLimits {
    /** So that a product of two fits. */
    private static final int MOST = 30_000;

    private final int ofSource;
    private final int ofTarget;
    private final boolean callerRuns;

    JointLimits(BatchLimits source, BatchLimits target) {
        ofSource = Math.min(source.maxWeight(), MOST);
        ofTarget = Math.min(target.maxWeight(), MOST);
        callerRuns = source.callerRuns() || target.callerRuns();
    }

    /** Never direct: a move takes time, and what comes meanwhile keeps its order by waiting. */
    BatchLimits limits() {
        BatchLimits joint = BatchLimits.ofWeight(ofSource * ofTarget).withOnePerName();
        return callerRuns ? joint.withCallerRuns() : joint;
    }

    /** The weight of a request that has these two; in parts of the product, so that neither store gets too much. */
    int weight(int atSource, int atTarget) {
        return Math.max(Math.min(atSource, MOST) * ofTarget, Math.min(atTarget, MOST) * ofSource);
    }
}
