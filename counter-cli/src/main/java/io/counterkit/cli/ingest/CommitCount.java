package io.counterkit.cli.ingest;

import io.counterkit.CountersListener;
import io.counterkit.spi.ChangeTarget;
import java.util.concurrent.atomic.LongAdder;

/** Counts the commits of adds. Thread-safe. */
final class CommitCount implements CountersListener {
    private final LongAdder commits = new LongAdder();

    @Override
    public void onBatch(Batch batch) {
        if (batch.kind() == ChangeTarget.Kind.COUNTER) {
            commits.increment();
        }
    }

    /** Returns how many commits there were, retries included. */
    long commits() {
        return commits.sum();
    }
}
