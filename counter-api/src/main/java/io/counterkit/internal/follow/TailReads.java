package io.counterkit.internal.follow;

import io.counterkit.spi.Listening;
import io.counterkit.spi.SequenceStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a follower reads the tail. If the store does not report entries, the follower reads once per cadence.
 * Otherwise it reads after each report, as often as the cadence allows, and rarely without a report, in case one was
 * lost. Used by the thread of the follower; any thread may report.
 */
final class TailReads implements AutoCloseable {
    /** A follower reads without a report after this many cadences, or after a minute if that is shorter. */
    private static final int CADENCES_UNREPORTED = 60;

    private static final long LONGEST_UNREPORTED = TimeUnit.MINUTES.toNanos(1);

    /** A report that comes sooner after the last read waits for this time, or for a cadence if that is shorter. */
    private static final long SHORTEST = TimeUnit.SECONDS.toNanos(1);

    private final SequenceStore store;
    private final String sequence;
    private final long cadence;
    private volatile CompletableFuture<Void> report = new CompletableFuture<>();
    private @Nullable Listening listening;
    private boolean isOpen;
    private long begun;

    TailReads(SequenceStore store, String sequence, Duration cadence) {
        this.store = store;
        this.sequence = sequence;
        this.cadence = cadence.toNanos();
    }

    /**
     * Begins a read, which covers all earlier reports. Starts to listen before the first read, so that no entry is
     * missed.
     */
    void begin() {
        if (!isOpen) {
            listening = store.listen(sequence, () -> report.complete(null));
            isOpen = true;
        }
        if (report.isDone()) {
            report = new CompletableFuture<>();
        }
        begun = System.nanoTime();
    }

    /** Returns a future that completes with the first report since the last read began. */
    CompletableFuture<Void> report() {
        return report;
    }

    /** Returns how long to wait for a report, in nanoseconds. */
    long longestPause() {
        return listening != null && listening.isLive()
                ? Math.max(cadence, Math.min(cadence * CADENCES_UNREPORTED, LONGEST_UNREPORTED))
                : cadence;
    }

    /** Returns how long to wait even after a report, in nanoseconds; zero or negative if that time has passed. */
    long shortestPause() {
        return begun + Math.min(cadence, SHORTEST) - System.nanoTime();
    }

    @Override
    public void close() {
        if (listening != null) {
            listening.close();
        }
    }
}
