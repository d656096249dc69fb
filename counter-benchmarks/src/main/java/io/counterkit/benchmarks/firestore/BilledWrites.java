package io.counterkit.benchmarks.firestore;

import io.counterkit.CountersListener;
import java.util.concurrent.atomic.LongAdder;

/** Counts the billed writes of adds: one for the token of each commit, and one for each counter in it. */
final class BilledWrites implements CountersListener {
    private final LongAdder adds = new LongAdder();
    private final LongAdder commits = new LongAdder();
    private final LongAdder writes = new LongAdder();

    @Override
    public void onBatch(Batch batch) {
        adds.add(batch.requests());
        commits.increment();
        writes.add(1L + batch.requests() - batch.merged());
    }

    void clear() {
        adds.reset();
        commits.reset();
        writes.reset();
    }

    @Override
    public String toString() {
        return String.format(
                "%.0f adds a commit, %.1f billed writes for 1,000 adds",
                adds.sum() / (double) commits.sum(), 1000.0 * writes.sum() / adds.sum());
    }
}
