package io.counterkit.internal.watch;

import static java.util.Objects.requireNonNull;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The open watches of a {@link Counters}, and the one thread that they share. The thread ends after a second without
 * work, and is created again when there is some.
 */
public final class Watches {
    private static final System.Logger LOG = System.getLogger(Watch.class.getName());
    private static final long RETRY_SECONDS = 1;

    private final BiFunction<String, Duration, CompletableFuture<Reading>> reader;
    private final CounterStore store;
    private final Supplier<Call> newCall;
    private final Timers timers;
    private final ThreadPoolExecutor thread;
    private final Set<ThrottledWatch> open = new LinkedHashSet<>();
    private boolean closed;

    public Watches(
            BiFunction<String, Duration, CompletableFuture<Reading>> reader,
            CounterStore store,
            Supplier<Call> newCall,
            Timers timers,
            ThreadFactory threads) {
        this.reader = reader;
        this.store = store;
        this.newCall = newCall;
        this.timers = timers;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> requireNonNull(threads.newThread(task), "the factory of background threads returned null"));
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Opens a watch that the store feeds, or that polls if the store cannot. Throws the exception of the factory if
     * there is no thread and none can be created.
     */
    public Watch open(
            String name,
            Duration cadence,
            Consumer<? super Reading> readings,
            Consumer<? super CounterException> failures) {
        Limits.checkDuration("cadence", cadence);
        ThrottledWatch watch = new ThrottledWatch(name, cadence, readings, failures, this);
        add(watch);
        try {
            boolean unused = thread.prestartCoreThread();
            Watch source = store.watch(name, cadence, watch);
            watch.attach(
                    source != null
                            ? source
                            : new PollingWatch(name, cadence, () -> reader.apply(name, cadence), this, watch)
                                    .start(store));
        } catch (RuntimeException | Error e) {
            watch.close();
            throw e;
        }
        return watch;
    }

    Call newCall() {
        return newCall.get();
    }

    /**
     * Runs a task on the shared thread after {@code nanos}, unless the watches are closed by then. Cancelling the
     * future stops the timer. If no thread can be created, the task runs later.
     */
    CompletableFuture<Void> schedule(Runnable task, long nanos) {
        if (nanos <= 0) {
            execute(task);
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> timer = timers.after(nanos);
        CompletableFuture<?> unused = timer.thenRun(() -> execute(task));
        return timer;
    }

    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (Throwable e) { // an Error too: all watches would stop
            if (!thread.isShutdown()) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "no thread could be created for watches; they are delayed, and it is tried again in "
                                + RETRY_SECONDS + " s",
                        e);
                CompletableFuture<?> unused =
                        timers.after(TimeUnit.SECONDS.toNanos(RETRY_SECONDS)).thenRun(() -> execute(task));
            }
        }
    }

    private synchronized void add(ThrottledWatch watch) {
        if (closed) {
            throw new IllegalStateException("these counters are closed");
        }
        open.add(watch);
    }

    synchronized void remove(ThrottledWatch watch) {
        open.remove(watch);
    }

    /** Closes all watches. */
    public void close() {
        List<ThrottledWatch> last;
        synchronized (this) {
            closed = true;
            last = List.copyOf(open);
        }
        last.forEach(ThrottledWatch::close);
        thread.shutdown();
    }
}
