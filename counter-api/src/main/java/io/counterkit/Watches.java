package io.counterkit;

import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The open watches of a {@link Counters}, and the one thread of them all, which is there while there is one. */
final class Watches {
    private final StoreCounters counters;
    private final CounterStore store;
    private final Supplier<Call> calls;
    private final ThreadFactory threads;
    private final Set<StoreWatch> open = new LinkedHashSet<>();
    private @Nullable ScheduledExecutorService scheduler;
    private boolean closed;

    Watches(StoreCounters counters, CounterStore store, Supplier<Call> calls, ThreadFactory threads) {
        this.counters = counters;
        this.store = store;
        this.calls = calls;
        this.threads = threads;
    }

    Watch open(
            String name,
            Duration cadence,
            Consumer<? super Reading> readings,
            Consumer<? super CounterException> failures) {
        Limits.checkDuration("cadence", cadence);
        StoreWatch watch = new StoreWatch(name, cadence, readings, failures, this);
        add(watch);
        try {
            Watch source = store.watch(name, cadence, watch);
            watch.feedFrom(source != null ? source : new Polling(name, cadence, counters, this, watch).start());
        } catch (RuntimeException | Error e) {
            watch.close();
            throw e;
        }
        return watch;
    }

    Call call() {
        return calls.get();
    }

    /** Runs it on the thread of all watches; never, once they are closed. */
    void schedule(Runnable task, long nanos) {
        ScheduledExecutorService running = scheduler();
        if (running != null) {
            try {
                Object unused = running.schedule(task, Math.max(0, nanos), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                if (!running.isShutdown()) {
                    throw e;
                }
            }
        }
    }

    private synchronized void add(StoreWatch watch) {
        if (closed) {
            throw new IllegalStateException("these counters are closed");
        }
        open.add(watch);
    }

    synchronized void remove(StoreWatch watch) {
        open.remove(watch);
    }

    private synchronized @Nullable ScheduledExecutorService scheduler() {
        if (scheduler == null && !closed) {
            ScheduledThreadPoolExecutor made = new ScheduledThreadPoolExecutor(1, threads);
            made.setKeepAliveTime(1, TimeUnit.SECONDS);
            made.allowCoreThreadTimeOut(true); // once nothing is watched
            made.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
            scheduler = made;
        }
        return scheduler;
    }

    void close() {
        List<StoreWatch> last;
        ScheduledExecutorService running;
        synchronized (this) {
            closed = true;
            last = List.copyOf(open);
            running = scheduler;
        }
        last.forEach(StoreWatch::close);
        if (running != null) {
            running.shutdown();
        }
    }
}
