package io.counterkit.internal.watch;

import static java.util.Objects.requireNonNull;

import io.counterkit.CounterException;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One watch: takes whatever its source says, from any thread, and hands on what is new, in order and not too often. Of
 * readings that come faster than that, the newest is kept.
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
    private @Nullable Reading shown;
    private @Nullable CounterException failure;
    private long arrived;
    private long mayShowAt = System.nanoTime();
    private boolean isShowing;

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

    /** What tells of the failures of a watch whose caller does not ask for them. */
    public static Consumer<CounterException> logFailuresOf(String counter) {
        return failure -> LOG.log(
                System.Logger.Level.WARNING,
                "watching '" + counter + "': a look at it failed; the watch goes on",
                failure);
    }

    void feedFrom(Watch source) {
        synchronized (this) {
            this.source = source;
            if (!closed) {
                return;
            }
        }
        source.close();
    }

    @Override
    public Call call() {
        return watches.call();
    }

    @Override
    public void reading(Reading reading) {
        long wait;
        synchronized (this) {
            if (closed || isBehind(reading)) {
                return;
            }
            newest = reading;
            arrived = System.nanoTime();
            if (isShowing) {
                return;
            }
            isShowing = true;
            wait = mayShowAt - arrived;
        }
        watches.schedule(this::show, wait);
    }

    /** A strong reading is never behind, whatever a clock says that was set back: it was taken after the last one. */
    private boolean isBehind(Reading reading) {
        return newest != null
                && reading.asOf().isBefore(newest.asOf())
                && !reading.staleness().isZero();
    }

    private void show() {
        Reading next;
        synchronized (this) {
            isShowing = false;
            next = newest;
            if (closed || next == null || (shown != null && shown.value() == next.value())) {
                return;
            }
            shown = next;
            long now = System.nanoTime();
            mayShowAt = now + cadence;
            next = aged(next, now);
        }
        tell(readings, next);
    }

    @Override
    public synchronized @Nullable Reading latest() {
        return newest == null ? null : aged(newest, System.nanoTime());
    }

    private Reading aged(Reading reading, long now) {
        return new Reading(reading.value(), reading.asOf(), reading.staleness().plusNanos(now - arrived));
    }

    @Override
    public void failure(CounterException failure) {
        synchronized (this) {
            boolean isTelling = this.failure != null;
            if (closed || isTelling) {
                return;
            }
            this.failure = failure;
        }
        watches.schedule(this::fail, 0);
    }

    private void fail() {
        CounterException told;
        synchronized (this) {
            told = failure;
            failure = null;
            if (closed || told == null) {
                return;
            }
        }
        tell(failures, told);
    }

    private <T> void tell(Consumer<? super T> consumer, T what) {
        try {
            consumer.accept(what);
        } catch (Throwable e) { // also an Error: the thread is that of other watches too
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a consumer of the watch of '" + name + "' failed; this watch and the others go on",
                    e);
        }
    }

    @Override
    public void close() {
        Watch ended;
        synchronized (this) {
            closed = true;
            ended = source;
            source = null;
        }
        watches.remove(this);
        if (ended != null) {
            ended.close();
        }
    }

    @Override
    public String toString() {
        return "Watch[" + name + "]";
    }
}
