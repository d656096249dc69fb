package io.counterkit.internal.watch;

import static java.util.Objects.requireNonNull;

import io.counterkit.CounterException;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The watch that an application opens. Receives readings from its source on any thread, and delivers changes in order,
 * at most once per cadence. If several readings arrive within a cadence, delivers the newest.
 */
public final class ThrottledWatch implements Watch, CounterStore.Sink {
    private static final System.Logger LOG = System.getLogger(Watch.class.getName());

    private final String name;
    private final long cadence;
    private final Consumer<? super Reading> readings;
    private final Consumer<? super CounterException> failures;
    private final Watches watches;

    private boolean closed;
    private @Nullable Watch source;
    private @Nullable Reading newest;
    private long receivedAt;
    private @Nullable Reading delivered;
    private boolean isDeliveryDue;
    private long nextDelivery = System.nanoTime();
    private @Nullable CounterException failure;

    ThrottledWatch(
            String name,
            Duration cadence,
            Consumer<? super Reading> readings,
            Consumer<? super CounterException> failures,
            Watches watches) {
        this.name = name;
        this.cadence = cadence.toNanos();
        this.readings = requireNonNull(readings, "readings");
        this.failures = requireNonNull(failures, "failures");
        this.watches = watches;
    }

    /** Returns a consumer that logs failures. */
    public static Consumer<CounterException> logFailuresOf(String counter) {
        return failure -> LOG.log(
                System.Logger.Level.WARNING, "watching '" + counter + "': a read failed; the watch continues", failure);
    }

    /** Sets the source, which is closed with this watch. */
    void attach(Watch source) {
        synchronized (this) {
            this.source = source;
            if (!closed) {
                return;
            }
        }
        closeSource(source);
    }

    /** Closes the source. Logs a failure, which must not keep other watches and the backend open. */
    private void closeSource(Watch source) {
        try {
            source.close();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.WARNING, "the backend failed to close a watch of '" + name + "'", e);
        }
    }

    @Override
    public Call call() {
        return watches.newCall();
    }

    @Override
    public void reading(Reading reading) {
        long wait;
        synchronized (this) {
            if (closed || isOlder(reading)) {
                return;
            }
            newest = reading;
            receivedAt = System.nanoTime();
            if (isDeliveryDue) {
                return;
            }
            isDeliveryDue = true;
            wait = nextDelivery - receivedAt;
        }
        CompletableFuture<?> unused = watches.schedule(this::deliverNewest, wait);
    }

    /**
     * Returns whether a reading is older than the newest one. A strong reading never is: it was read later, even if its
     * clock was set back in between.
     */
    private boolean isOlder(Reading reading) {
        return newest != null
                && reading.asOf().isBefore(newest.asOf())
                && !reading.staleness().isZero();
    }

    /**
     * Returns when the total of a later reading can be delivered, by {@link System#nanoTime}. If a change waits for its
     * delivery, the next one can be delivered a cadence later.
     */
    synchronized long nextDelivery() {
        if (!isDeliveryDue || newest == null || isDelivered(newest)) {
            return nextDelivery;
        }
        long now = System.nanoTime();
        return (nextDelivery - now > 0 ? nextDelivery : now) + cadence;
    }

    private boolean isDelivered(Reading reading) {
        return delivered != null && delivered.value() == reading.value();
    }

    private void deliverNewest() {
        Reading next;
        synchronized (this) {
            isDeliveryDue = false;
            next = newest;
            if (closed || next == null || isDelivered(next)) {
                return;
            }
            delivered = next;
            long now = System.nanoTime();
            nextDelivery = now + cadence;
            next = aged(next, now);
        }
        deliver(readings, next);
    }

    @Override
    public synchronized @Nullable Reading latest() {
        return newest == null ? null : aged(newest, System.nanoTime());
    }

    private Reading aged(Reading reading, long now) {
        return new Reading(reading.value(), reading.asOf(), reading.staleness().plusNanos(now - receivedAt));
    }

    @Override
    public void failure(CounterException failure) {
        synchronized (this) {
            if (closed || this.failure != null) {
                return;
            }
            this.failure = failure;
        }
        CompletableFuture<?> unused = watches.schedule(this::deliverFailure, 0);
    }

    private void deliverFailure() {
        CounterException next;
        synchronized (this) {
            next = failure;
            failure = null;
            if (closed || next == null) {
                return;
            }
        }
        deliver(failures, next);
    }

    private <T> void deliver(Consumer<? super T> consumer, T value) {
        try {
            consumer.accept(value);
        } catch (Throwable e) { // an Error too: all watches share the thread
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a consumer of the watch of '" + name + "' failed; all watches continue",
                    e);
        }
    }

    @Override
    public void close() {
        Watch last;
        synchronized (this) {
            closed = true;
            last = source;
            source = null;
        }
        watches.remove(this);
        if (last != null) {
            closeSource(last);
        }
    }

    @Override
    public String toString() {
        return "Watch[" + name + "]";
    }
}
