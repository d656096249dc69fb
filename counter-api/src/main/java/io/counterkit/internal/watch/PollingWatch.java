package io.counterkit.internal.watch;

import io.counterkit.CounterException;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.internal.batch.Failures;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.CounterStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Watches a counter by reading it once per cadence, one read at a time. Backs off while reads fail. */
final class PollingWatch implements Watch, Runnable {
    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(100), Duration.ofSeconds(10));

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
            report(reading, failure);
            watches.schedule(this, start + pause() - System.nanoTime());
        });
    }

    private void report(@Nullable Reading reading, @Nullable Throwable failure) {
        if (closed) {
            return;
        }
        if (failure == null && reading != null) {
            failed = 0;
            sink.reading(reading);
        } else if (failure != null
                && Failures.ofRead(failure, "watching '" + name + "'") instanceof CounterException reported) {
            failed++;
            sink.failure(reported);
        }
    }

    private long pause() {
        return Math.max(cadence.toNanos(), failed == 0 ? 0 : BACKOFF.nanos(failed));
    }

    @Override
    public void close() {
        closed = true;
    }
}
