package io.counterkit.internal.watch;

import io.counterkit.CounterException;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.internal.batch.Failures;
import io.counterkit.spi.CounterStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Watches a counter by reading it once a cadence, one read at a time; less often while reads fail. */
final class PollingWatch implements Watch, Runnable {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(10);

    private final String name;
    private final Duration cadence;
    private final Supplier<CompletableFuture<Reading>> read;
    private final Watches watches;
    private final CounterStore.Sink sink;
    private volatile boolean closed;
    private int failed;

    PollingWatch(
            String name,
            Duration cadence,
            Supplier<CompletableFuture<Reading>> read,
            Watches watches,
            CounterStore.Sink sink) {
        this.name = name;
        this.cadence = cadence;
        this.read = read;
        this.watches = watches;
        this.sink = sink;
    }

    Watch start() {
        watches.schedule(this, 0);
        return this;
    }

    @Override
    public void run() {
        if (closed) {
            return;
        }
        long start = System.nanoTime();
        CompletableFuture<Reading> reply;
        try {
            reply = read.get();
        } catch (IllegalStateException e) {
            return; // the counters were closed
        }
        CompletableFuture<?> unused = reply.whenComplete((reading, failure) -> {
            tell(reading, failure);
            watches.schedule(this, start + pause() - System.nanoTime());
        });
    }

    private void tell(@Nullable Reading reading, @Nullable Throwable failure) {
        if (closed) {
            return;
        }
        if (failure == null && reading != null) {
            failed = 0;
            sink.reading(reading);
        } else if (failure != null
                && Failures.ofRead(failure, "watching '" + name + "'") instanceof CounterException told) {
            failed++;
            sink.failure(told);
        }
    }

    /** At least the cadence; doubled with each failure in a row up to 10 seconds, if that is more. */
    private long pause() {
        long afterFailure = failed == 0 ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failed - 1, 20));
        return Math.max(cadence.toNanos(), afterFailure);
    }

    @Override
    public void close() {
        closed = true;
    }
}
