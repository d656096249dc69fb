package io.counterkit.soak.internal.worker;

import io.counterkit.CountersListener;
import io.counterkit.spi.ChangeTarget;
import java.util.concurrent.atomic.LongAdder;

/** Counts the operations of a soak and their outcomes. Thread-safe. */
public final class SoakStatistics implements CountersListener {
    public final LongAdder operations = new LongAdder();
    public final LongAdder adds = new LongAdder();
    public final LongAdder appends = new LongAdder();
    public final LongAdder reads = new LongAdder();

    /** Changes and reads that failed and changed nothing. */
    public final LongAdder notApplied = new LongAdder();

    /** Appends that the store refused because they do not fit their subject. */
    public final LongAdder refused = new LongAdder();

    /** Changes whose outcome was unknown at first. */
    public final LongAdder unknown = new LongAdder();

    /** The changes among {@link #unknown} that were resolved as applied. */
    public final LongAdder unknownApplied = new LongAdder();

    /** The commits of adds, retries included. */
    public final LongAdder commits = new LongAdder();

    /** The adds in those commits. */
    public final LongAdder committedAdds = new LongAdder();

    @Override
    public void onBatch(Batch batch) {
        if (batch.kind() == ChangeTarget.Kind.COUNTER) {
            commits.increment();
            committedAdds.add(batch.requests());
        }
    }
}
