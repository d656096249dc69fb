package io.counterkit.spi;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Timers on threads of their own: deadlines and retries of a backend or of the API layer never wait for the JDK's common
 * pool, which belongs to the application. One thread measures time and never runs code of others; {@value #WORKERS}
 * more run what is due. If all of those block, in callbacks of an application for example, twice as many run after
 * {@value #STALL_MILLIS} ms, and so on until nothing waits: a callback that blocks takes up a thread, and delays no timer.
 * All are daemon threads, carry the given name, start when they are needed and end when they have been idle for a second
 * or after {@link #close()}. Thread-safe.
 */
public final class Timers implements AutoCloseable {
    private static final int WORKERS = 4;
    private static final int STALL_MILLIS = 20;
    private static final long KEEP_ALIVE_SECONDS = 1;

    private final ScheduledThreadPoolExecutor clock;
    private final ThreadPoolExecutor workers;
    private final Set<Runnable> pending = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isLooking = new AtomicBoolean();

    private Timers(String name) {
        clock = new ScheduledThreadPoolExecutor(1, daemons(name + "-timer"));
        clock.setKeepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
        clock.allowCoreThreadTimeOut(true);
        clock.setRemoveOnCancelPolicy(true);
        workers = new ThreadPoolExecutor(
                WORKERS,
                WORKERS,
                KEEP_ALIVE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemons(name + "-worker"));
        workers.allowCoreThreadTimeOut(true);
    }

    /**
     * Creates timers whose threads start on first use.
     *
     * @param name what the names of the threads begin with, such as {@code "counterkit-firestore"}
     */
    public static Timers named(String name) {
        return new Timers(name);
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(null, task, name + "-" + count.incrementAndGet(), 0, false);
            thread.setDaemon(true);
            // Not that of the caller who happens to be first: it would keep a redeployed application in memory.
            thread.setContextClassLoader(Timers.class.getClassLoader());
            return thread;
        };
    }

    /**
     * Returns an executor that runs tasks on the worker threads. After close, it runs a task on a new daemon thread, so
     * that a future that completes late still reaches its caller.
     */
    public Executor executor() {
        return this::execute;
    }

    private void execute(Runnable task) {
        try {
            workers.execute(task);
        } catch (RejectedExecutionException e) {
            workers.getThreadFactory().newThread(task).start();
            return;
        }
        lookSoon();
    }

    /** While tasks wait, one look at the workers is due at a time. */
    private void lookSoon() {
        Runnable first = workers.getQueue().peek();
        if (first != null && isLooking.compareAndSet(false, true)) {
            lookAfter(first);
        }
    }

    private void lookAfter(Runnable first) {
        try {
            Future<?> unused = clock.schedule(() -> look(first), STALL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            isLooking.set(false); // closed: what waits has the threads that there are
        }
    }

    /** Doubles the workers if none of them has taken a task since {@code first} was the first to wait. */
    private void look(Runnable first) {
        Runnable now = workers.getQueue().peek();
        if (now == null) {
            if (workers.getActiveCount() < WORKERS) { // those that block still need the others
                resize(WORKERS);
            }
            isLooking.set(false);
            lookSoon();
            return;
        }
        try {
            if (now == first) {
                resize(2 * workers.getPoolSize());
            }
        } finally { // a thread may not start for lack of memory; the next look tries again
            lookAfter(now);
        }
    }

    private void resize(int wanted) {
        int size = Math.max(wanted, WORKERS);
        workers.setCorePoolSize(Math.min(size, workers.getMaximumPoolSize())); // never above the maximum
        workers.setMaximumPoolSize(size);
        workers.setCorePoolSize(size);
    }

    /**
     * Returns a future that completes after {@code nanos}, on a worker thread. Cancelling it stops the timer. After close
     * it completes at once with an {@link IllegalStateException}; so do those that are pending then.
     */
    public CompletableFuture<Void> after(long nanos) {
        CompletableFuture<Void> due = new CompletableFuture<>();
        start(due, nanos, () -> due.complete(null));
        return due;
    }

    /**
     * Completes {@code future} with a {@link TimeoutException} on a worker thread if it has not completed after {@code
     * nanos}.
     *
     * @param message the message of the exception: what did not answer
     * @return {@code future}
     */
    public <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, long nanos, String message) {
        if (!future.isDone()) {
            start(future, nanos, () -> future.completeExceptionally(new TimeoutException(message)));
        }
        return future;
    }

    /** Runs {@code then} on a worker thread after {@code nanos}, unless {@code future} completes before. */
    private void start(CompletableFuture<?> future, long nanos, Runnable then) {
        Future<?> timer;
        try {
            timer = clock.schedule(() -> execute(then), Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            future.completeExceptionally(closed());
            return;
        }
        Runnable end = () -> future.completeExceptionally(closed());
        pending.add(end);
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> {
            timer.cancel(false);
            pending.remove(end);
        });
        if (clock.isShutdown()) {
            end.run();
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the backend was closed");
    }

    /**
     * Ends the threads once the tasks that run, and those that wait for a thread, have returned. Futures of timers that are
     * not due complete with an {@link IllegalStateException}. Closing again does nothing.
     */
    @Override
    public void close() {
        clock.shutdownNow();
        workers.shutdown();
        // The workers may all wait for what is in the queue, and nothing adds to them any more.
        for (Runnable task = workers.getQueue().poll();
                task != null;
                task = workers.getQueue().poll()) {
            workers.getThreadFactory().newThread(task).start();
        }
        pending.forEach(Runnable::run);
    }
}
