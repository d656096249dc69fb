package io.counterkit.cli.backend;

import io.counterkit.CountersListener;
import io.counterkit.spi.ChangeTarget;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** Counts the commits of adds and what they carry, to tell how many adds were merged into one. Thread-safe. */
public final class CommitCount implements CountersListener {
    private final LongAdder commits = new LongAdder();
    private final LongAdder adds = new LongAdder();

    @Override
    public void onBatch(Batch batch) {
        if (batch.kind() == ChangeTarget.Kind.COUNTER) {
            commits.increment();
            adds.add(batch.requests());
        }
    }

    /** How many commits of adds there were, those that were sent again included. */
    public long commits() {
        return commits.sum();
    }

    /** How many adds a commit carried on average; 0 where there was none. */
    public double addsPerCommit() {
        return commits.sum() == 0 ? 0 : (double) adds.sum() / commits.sum();
    }

    /** The same for people. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.1f adds a commit", addsPerCommit());
    }
}
