package io.counterkit.firestore.internal.read;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.CounterException;
import io.counterkit.Reading;
import io.counterkit.firestore.internal.client.BackendTimers;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.SharedListeners;
import io.counterkit.firestore.internal.client.SnapshotListener;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.CounterStore.Sink;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * All watches of one counter in this process. They share a listener on its document, which reports the roll-ups of
 * other processes. If the newest roll-up is older than the shortest cadence, one sum serves all watches, and its
 * roll-up serves the watches of other processes. Without a listener, only a timer starts the sums. Thread-safe.
 */
public final class CounterWatch implements SharedListeners.Shared<CounterWatch.Watcher> {
    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(100), Duration.ofSeconds(10));

    private final String name;
    private final BackendTimers timers;
    private final CounterReads reads;
    private final SnapshotListener<DocumentSnapshot> listener;
    private final List<Watcher> watchers = new ArrayList<>();
    private CompletableFuture<Void> timer = CompletableFuture.completedFuture(null);
    private @Nullable DocumentSnapshot reported;
    private @Nullable Reading newest;
    private boolean isReading;

    /**
     * Whether the counter was reset or deleted since the last read, so that earlier readings are not valid any more.
     */
    private boolean isCleared;

    private int failed;

    public CounterWatch(String name, FirestoreSchema schema, CounterReads reads) {
        this.name = name;
        this.timers = schema.timers();
        this.reads = reads;
        DocumentReference document = schema.counter(name);
        this.listener = new SnapshotListener<>(
                schema, document.getPath(), document::addSnapshotListener, this::documentChanged, () -> {});
    }

    /** One watch. Not a record, since watches are compared by identity. */
    public static final class Watcher {
        private final Duration cadence;
        private final Sink sink;
        private volatile boolean isClosed;

        public Watcher(Duration cadence, Sink sink) {
            this.cadence = cadence;
            this.sink = sink;
        }

        /** Ends the reports. */
        public void close() {
            isClosed = true;
        }

        private void show(Reading reading) {
            if (!isClosed) {
                sink.reading(reading);
            }
        }

        private void fail(CounterException failure) {
            if (!isClosed) {
                sink.failure(failure);
            }
        }
    }

    @Override
    public synchronized void join(Watcher watcher) {
        watchers.add(watcher);
        if (watchers.size() == 1) {
            listener.start();
        }
        tick();
    }

    /** Removes a watch. After the last one, the listener stays open, and nothing is read. */
    @Override
    public synchronized boolean leave(Watcher watcher) {
        boolean isRemoved = watchers.remove(watcher);
        if (watchers.isEmpty()) {
            timer.cancel(false);
        }
        return isRemoved && watchers.isEmpty();
    }

    @Override
    public synchronized void end() {
        watchers.clear();
        timer.cancel(false);
        listener.stop();
    }

    private Duration cadence() {
        return watchers.stream()
                .map(watcher -> watcher.cadence)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Reports the latest reading of this process if it is fresh enough; otherwise reads. */
    private synchronized void tick() {
        if (watchers.isEmpty() || isReading) {
            return;
        }
        Reading known = reads.known(name, cadence());
        if (known == null || isCleared) {
            read();
        } else {
            show(known);
            tickAfter(untilOlderThanCadence(known));
        }
    }

    private void tickAfter(long nanos) {
        timer.cancel(false);
        timer = timers.runAfter(nanos, this::tick);
    }

    /**
     * Returns the time until a reading is older than the cadence. Adds a random delay, so that one of many processes
     * sums and the others receive its roll-up.
     */
    private long untilOlderThanCadence(Reading known) {
        long cadence = cadence().toNanos();
        long left = Math.max(0, cadence - known.staleness().toNanos());
        return left + ThreadLocalRandom.current().nextLong(cadence / 10 + 1);
    }

    private void read() {
        isReading = true;
        timer.cancel(false);
        listener.start(); // if there was no permit before
        Duration allowed = isCleared ? Duration.ZERO : cadence();
        isCleared = false;
        CompletableFuture<?> unused = reads.readWatched(
                        name, allowed, listener.newest(), watchers.get(0).sink.call())
                .whenComplete((result, failure) -> endRead(allowed.isZero(), result, failure));
    }

    private synchronized void endRead(boolean cleared, @Nullable Result<Reading> result, @Nullable Throwable failure) {
        isReading = false;
        if (watchers.isEmpty()) {
            return;
        }
        long cadence = cadence().toNanos();
        Reading reading = result == null ? null : result.value();
        if (reading == null) {
            isCleared |= cleared;
            failed++;
            Throwable cause = result != null && result.failure() != null ? result.failure() : failure;
            report(cause == null ? new IllegalStateException("no reading") : cause);
            tickAfter(Math.max(cadence, BACKOFF.nanos(failed)));
            return;
        }
        failed = 0;
        show(reading);
        Reading known = reads.known(name, cadence());
        if (isCleared) {
            read();
        } else {
            tickAfter(Math.max(cadence / 2, known == null ? 0 : untilOlderThanCadence(known)));
        }
    }

    private void report(Throwable failure) {
        watchers.forEach(watcher -> watcher.fail(FirestoreErrors.notRead("watching '" + name + "'", failure)));
    }

    /** Reports a reading, unless a later one was reported. */
    private void show(Reading reading) {
        if (newest == null || !reading.asOf().isBefore(newest.asOf())) {
            newest = reading;
            watchers.forEach(watcher -> watcher.show(reading));
        }
    }

    private synchronized void documentChanged(DocumentSnapshot counter) {
        DocumentSnapshot before = reported;
        reported = counter;
        boolean isClearedNow = before != null && reads.isCleared(before, counter);
        isCleared |= isClearedNow;
        if (watchers.isEmpty()) {
            return;
        }
        if (isClearedNow) {
            tick();
            return;
        }
        Reading reading = reads.fromListener(name, counter);
        if (reading != null && reading.staleness().compareTo(cadence()) <= 0) {
            show(reading);
            if (!isReading && failed == 0) {
                tickAfter(untilOlderThanCadence(reading));
            }
        }
    }
}
