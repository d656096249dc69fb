package io.counterkit.soak;

import io.counterkit.CountersListener;
import io.counterkit.spi.ChangeTarget;
import java.util.concurrent.atomic.LongAdder;

/** Counts the operations of a soak and their outcomes. Thread-safe. */
final class SoakStatistics implements CountersListener {
    final LongAdder operations = new LongAdder();
    final LongAdder adds = new LongAdder();
    final LongAdder appends = new LongAdder();
    final LongAdder reads = new LongAdder();

    /** Changes and reads that failed and changed nothing. */
    final LongAdder notApplied = new LongAdder();

    /** Appends that the store refused because they do not fit their subject. */
    final LongAdder refused = new LongAdder();

    /** Changes whose outcome was unknown at first. */
    final LongAdder unknown = new LongAdder();

    /** The changes among {@link #unknown} that were resolved as applied. */
    final LongAdder unknownApplied = new LongAdder();

    /** The commits of adds, retries included. */
    final LongAdder commits = new LongAdder();

    /** The adds in those commits. */
    final LongAdder committedAdds = new LongAdder();

    @Override
    public void onBatch(Batch batch) {
        if (batch.kind() == ChangeTarget.Kind.COUNTER) {
            commits.increment();
            committedAdds.add(batch.requests());
        }
    }
}
