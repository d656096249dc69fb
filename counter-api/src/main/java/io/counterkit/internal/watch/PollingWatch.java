package io.counterkit.internal.watch;

import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.internal.batch.Failures;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Listening;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches a counter by reading it, one read at a time: once per cadence, and soon after a change that the store
 * reports. A report leads to a read when its total can be delivered, and to at most one per cadence. Backs off while
 * reads fail.
 */
final class PollingWatch implements Watch {
    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(100), Duration.ofSeconds(10));

    private final String name;
    private final long cadence;
    private final Supplier<CompletableFuture<Reading>> read;
    private final Watches watches;
    private final ThrottledWatch sink;

    private @Nullable Listening listening;
    private CompletableFuture<Void> timer = CompletableFuture.completedFuture(null);
    private long due;
    private long nextPoll;
    private long nextAfterReport = System.nanoTime();
    private boolean isChanged;
    private boolean isReading = true;
    private boolean closed;
    private int failed;

    PollingWatch(
            String name,
            Duration cadence,
            Supplier<CompletableFuture<Reading>> read,
            Watches watches,
            ThrottledWatch sink) {
        this.name = name;
        this.cadence = cadence.toNanos();
        this.read = read;
        this.watches = watches;
        this.sink = sink;
    }

    /** Starts to listen, so that no change after the first read is missed, and to read. */
    Watch start(CounterStore store) {
        Listening reports = store.listen(name, this::changed);
        synchronized (this) {
            listening = reports;
            isReading = false;
            nextPoll = System.nanoTime();
            schedule();
        }
        return this;
    }

    private synchronized void changed() {
        if (!isChanged) {
            isChanged = true;
            if (!isReading) {
                schedule();
            }
        }
    }

    /** Schedules the next read instead of the one that was scheduled before. The caller holds the lock. */
    private void schedule() {
        if (closed) {
            return;
        }
        due = nextPoll;
        if (isChanged && failed == 0) {
            long afterReport = later(nextAfterReport, sink.nextDelivery());
            due = afterReport - due < 0 ? afterReport : due;
        }
        timer.cancel(false);
        timer = watches.schedule(this::readIfDue, due - System.nanoTime());
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    private void readIfDue() {
        synchronized (this) {
            long now = System.nanoTime();
            if (closed || isReading || now - due < 0) {
                return;
            }
            isReading = true;
            boolean isPoll = now - nextPoll >= 0; // this read is due without a report too
            nextPoll = now + cadence;
            nextAfterReport = isPoll ? nextAfterReport : nextPoll;
            isChanged = false;
        }
        CompletableFuture<Reading> reply;
        try {
            reply = read.get();
        } catch (IllegalStateException e) {
            return; // the counters were closed
        }
        CompletableFuture<?> unused = reply.whenComplete(this::endRead);
    }

    private void endRead(@Nullable Reading reading, @Nullable Throwable failure) {
        if (failure == null) {
            sink.reading(Objects.requireNonNull(reading));
        } else {
            sink.failure(Failures.ofRead(failure, "watching '" + name + "'"));
        }
        synchronized (this) {
            isReading = false;
            failed = failure == null ? 0 : failed + 1;
            nextPoll += failed == 0 ? 0 : Math.max(0, BACKOFF.nanos(failed) - cadence);
            schedule();
        }
    }

    @Override
    public void close() {
        Listening last;
        synchronized (this) {
            closed = true;
            timer.cancel(false);
            last = listening;
        }
        if (last != null) {
            last.close();
        }
    }
}
