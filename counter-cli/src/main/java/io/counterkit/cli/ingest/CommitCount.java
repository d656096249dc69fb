package io.counterkit.cli.ingest;

import io.counterkit.CountersListener;
import io.counterkit.spi.ChangeTarget;
import java.util.concurrent.atomic.LongAdder;

/** Counts the commits of adds, and the adds in them. Thread-safe. */
final class CommitCount implements CountersListener {
    private final LongAdder commits = new LongAdder();
    private final LongAdder adds = new LongAdder();

    @Override
    public void onBatch(Batch batch) {
        if (batch.kind() == ChangeTarget.Kind.COUNTER) {
            commits.increment();
            adds.add(batch.requests());
        }
    }

    /** Returns how many commits there were, retries included. */
    long commits() {
        return commits.sum();
    }

    /** Returns how many adds a commit carried on average; 0 if there was none. */
    double addsPerCommit() {
        return commits.sum() == 0 ? 0 : (double) adds.sum() / commits.sum();
    }
}
