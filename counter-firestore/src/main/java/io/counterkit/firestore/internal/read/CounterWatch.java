package io.counterkit.firestore.internal.read;

import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.Reading;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.Requests;
import io.counterkit.spi.CounterStore.Sink;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All watchers of one counter in this process. They share one listener at its document, which hears of the roll-ups that
 * others leave; when the newest is older than the shortest cadence, they sum once for all of them, and leave the sum for
 * the watchers of other processes. Where nobody can listen they go on so by the timer alone.
 */
final class CounterWatch {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(10);

    private final String name;
    private final Requests requests;
    private final CounterReads reads;
    private final SnapshotListener listening;
    private final List<Watcher> watchers = new ArrayList<>();
    private CompletableFuture<Void> timer = CompletableFuture.completedFuture(null);
    private @Nullable DocumentSnapshot heard;
    private @Nullable Reading newest;
    private boolean isLooking;

    /** Whether the counter was cleared since the last look, so that what was seen before does not count, however new. */
    private boolean wasCleared;

    private int failed;

    CounterWatch(String name, FirestoreSchema schema, CounterReads reads, Semaphore listeners) {
        this.name = name;
        this.requests = schema.requests();
        this.reads = reads;
        this.listening = new SnapshotListener(schema.requests(), schema.counter(name), listeners, this::heard);
    }

    /** Somebody who watches; no record, since two who watch alike are two. */
    static final class Watcher {
        private final Duration cadence;
        private final Sink sink;

        Watcher(Duration cadence, Sink sink) {
            this.cadence = cadence;
            this.sink = sink;
        }
    }

    synchronized void join(Watcher watcher) {
        watchers.add(watcher);
        if (watchers.size() == 1) {
            listening.start();
        }
        tick();
    }

    /** Returns whether that was the last one; then nothing goes on. */
    synchronized boolean leave(Watcher watcher) {
        watchers.remove(watcher);
        if (watchers.isEmpty()) {
            end();
        }
        return watchers.isEmpty();
    }

    synchronized void end() {
        watchers.clear();
        timer.cancel(false);
        listening.stop();
    }

    private Duration cadence() {
        return watchers.stream()
                .map(watcher -> watcher.cadence)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Shows what this process has seen, if that is new enough, and looks otherwise. */
    private synchronized void tick() {
        if (watchers.isEmpty() || isLooking) {
            return;
        }
        Reading known = reads.known(name, cadence());
        if (known == null || wasCleared) {
            look();
        } else {
            show(known);
            lookAfter(untilOlderThanTheCadence(known));
        }
    }

    private void lookAfter(long nanos) {
        timer.cancel(false);
        timer = requests.timer(nanos, this::tick);
    }

    /** A little later each time, so that of many processes one sums and the others hear of it. */
    private long untilOlderThanTheCadence(Reading known) {
        long cadence = cadence().toNanos();
        long left = Math.max(0, cadence - known.staleness().toNanos());
        return left + ThreadLocalRandom.current().nextLong(cadence / 10 + 1);
    }

    private void look() {
        isLooking = true;
        timer.cancel(false);
        Duration allowed = wasCleared ? Duration.ZERO : cadence();
        wasCleared = false;
        CompletableFuture<?> unused = reads.look(
                        name, allowed, listening.newest(), watchers.get(0).sink.call())
                .whenComplete((result, failure) -> looked(allowed.isZero(), result, failure));
    }

    private synchronized void looked(boolean cleared, @Nullable Result<Reading> result, @Nullable Throwable failure) {
        isLooking = false;
        if (watchers.isEmpty()) {
            return;
        }
        long cadence = cadence().toNanos();
        Reading reading = result == null ? null : result.value();
        if (reading == null) {
            wasCleared |= cleared;
            failed++;
            Throwable cause = result != null && result.failure() != null ? result.failure() : failure;
            tell(cause == null ? new IllegalStateException("no reading") : cause);
            lookAfter(Math.max(cadence, Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failed - 1, 20))));
            return;
        }
        failed = 0;
        show(reading);
        Reading known = reads.known(name, cadence());
        if (wasCleared) {
            look();
        } else {
            lookAfter(Math.max(cadence / 2, known == null ? 0 : untilOlderThanTheCadence(known)));
        }
    }

    private void tell(Throwable failure) {
        watchers.forEach(watcher -> watcher.sink.failure(FirestoreErrors.notRead("watching '" + name + "'", failure)));
    }

    /** A roll-up that is late is of an earlier moment than what was shown, and left out. */
    private void show(Reading reading) {
        if (newest == null || !reading.asOf().isBefore(newest.asOf())) {
            newest = reading;
            watchers.forEach(watcher -> watcher.sink.reading(reading));
        }
    }

    private synchronized void heard(DocumentSnapshot counter) {
        if (watchers.isEmpty()) {
            return;
        }
        DocumentSnapshot before = heard;
        heard = counter;
        if (before != null && reads.isCleared(before, counter)) {
            wasCleared = true;
            tick();
            return;
        }
        Reading reading = reads.heard(name, counter);
        if (reading != null && reading.staleness().compareTo(cadence()) <= 0) {
            show(reading);
            if (!isLooking && failed == 0) {
                lookAfter(untilOlderThanTheCadence(reading));
            }
        }
    }
}
