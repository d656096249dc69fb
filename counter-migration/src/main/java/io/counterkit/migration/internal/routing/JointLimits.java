package io.counterkit.migration.internal.routing;

import io.counterkit.spi.BatchLimits;

/**
 * The batch limits that both stores accept. A batch of adds concerns one counter, so it goes to one store only: a part
 * of a batch of several counters could be applied at the source, although its token covers the whole batch.
 */
final class JointLimits {
    /** The largest weight of a store, so that the product of two fits an int. */
    private static final int MOST = 30_000;

    private final int ofSource;
    private final int ofTarget;
    private final boolean callerRuns;

    JointLimits(BatchLimits source, BatchLimits target) {
        ofSource = Math.min(source.maxWeight(), MOST);
        ofTarget = Math.min(target.maxWeight(), MOST);
        callerRuns = source.callerRuns() || target.callerRuns();
    }

    /** Returns the limits. They are never direct: requests wait during a move, so that they keep their order. */
    BatchLimits limits() {
        BatchLimits joint = BatchLimits.ofWeight(ofSource * ofTarget).withOnePerName();
        return callerRuns ? joint.withCallerRuns() : joint;
    }

    /** Returns the weight of a request, scaled to the product so that a batch exceeds neither store's limit. */
    int weight(int atSource, int atTarget) {
        return Math.max(Math.min(atSource, MOST) * ofTarget, Math.min(atTarget, MOST) * ofSource);
    }
}
