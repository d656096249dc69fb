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
 * Timers with their own threads, so that deadlines and retries never wait for the JDK's common pool, which belongs to
 * the application. One thread measures time and never runs callbacks; {@value #WORKERS} worker threads run the
 * callbacks that are due. If all workers block for {@value #STALL_MILLIS} ms, in callbacks of an application for
 * example, their number doubles, so that a callback that blocks delays no timer. While timers are started, the clock
 * also ticks every {@value #TICK_MILLIS} ms: a timer that is due later is never the next event, so starting it wakes no
 * thread. If no thread can be started, timers are late until one can. All are daemon threads that start when they are
 * needed, and end about a second after the last work or after {@link #close()}. Thread-safe.
 */
public final class Timers implements AutoCloseable {
    private static final int WORKERS = 4;
    private static final int STALL_MILLIS = 20;
    private static final long KEEP_ALIVE_SECONDS = 1;
    private static final long TICK_MILLIS = 500;

    private final ScheduledThreadPoolExecutor clock;
    private final ThreadPoolExecutor workers;
    private final Set<Runnable> pending = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isCheckDue = new AtomicBoolean();
    private final AtomicBoolean isTicking = new AtomicBoolean();
    private volatile boolean isUsed;

    /** Creates timers whose threads are created by these factories. */
    Timers(ThreadFactory ofClock, ThreadFactory ofWorkers) {
        clock = new ScheduledThreadPoolExecutor(1, ofClock);
        clock.setKeepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
        clock.allowCoreThreadTimeOut(true);
        clock.setRemoveOnCancelPolicy(true);
        workers = new ThreadPoolExecutor(
                WORKERS, WORKERS, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), ofWorkers);
        workers.allowCoreThreadTimeOut(true);
    }

    /**
     * Creates timers.
     *
     * @param name the prefix of the names of the threads, such as {@code "counterkit-firestore"}
     */
    public static Timers named(String name) {
        return new Timers(daemons(name + "-timer"), daemons(name + "-worker"));
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(null, task, name + "-" + count.incrementAndGet(), 0, false);
            thread.setDaemon(true);
            // The class loader of the first caller would keep a redeployed application in memory.
            thread.setContextClassLoader(Timers.class.getClassLoader());
            return thread;
        };
    }

    /**
     * Returns an executor that runs tasks on the worker threads. After close it runs each task on a new daemon thread,
     * so that a late future still reaches its caller.
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
        } catch (Error e) { // no thread could be started; the check tries again
            workers.getQueue().add(task);
        }
        checkSoon();
    }

    /** Schedules a check of the workers if tasks wait and no check is due. */
    private void checkSoon() {
        Runnable first = workers.getQueue().peek();
        if (first != null && isCheckDue.compareAndSet(false, true)) {
            scheduleCheck(first);
        }
    }

    private void scheduleCheck(Runnable first) {
        try {
            Future<?> unused = schedule(() -> check(first), TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS));
        } catch (RejectedExecutionException e) {
            isCheckDue.set(false); // closed: the remaining tasks run on the existing threads
        }
    }

    /** Schedules a task of the clock. If its thread cannot be started, the next call of this method tries again. */
    private Future<?> schedule(Runnable task, long nanos) {
        try {
            return clock.schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (Error e) { // the task is in the queue
            return CompletableFuture.completedFuture(null);
        }
    }

    /** Doubles the workers if none of them has taken a task since {@code first} became the first to wait. */
    private void check(Runnable first) {
        Runnable now = workers.getQueue().peek();
        if (now == null) {
            if (workers.getActiveCount() < WORKERS) { // blocked workers still need the others
                resize(WORKERS);
            }
            isCheckDue.set(false);
            checkSoon();
            return;
        }
        try {
            if (now == first && !workers.prestartCoreThread()) {
                resize(2 * workers.getPoolSize());
            }
        } finally { // a thread may fail to start for lack of memory; the next check tries again
            scheduleCheck(now);
        }
    }

    private void resize(int wanted) {
        int size = Math.max(wanted, WORKERS);
        workers.setCorePoolSize(Math.min(size, workers.getMaximumPoolSize())); // never above the maximum
        workers.setMaximumPoolSize(size);
        workers.setCorePoolSize(size);
    }

    /**
     * Returns a future that completes on a worker thread after {@code nanos}. Cancelling it stops the timer. {@link
     * #close()} completes it with an {@link IllegalStateException}; a future that is requested after that is completed
     * immediately with the same exception.
     */
    public CompletableFuture<Void> after(long nanos) {
        CompletableFuture<Void> due = new CompletableFuture<>();
        start(due, nanos, () -> due.complete(null));
        return due;
    }

    /**
     * Completes {@code future} with a {@link TimeoutException} on a worker thread, unless it completes within {@code
     * nanos}.
     *
     * @param message the message of the exception
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
        keepTicking();
        Future<?> timer;
        try {
            timer = schedule(() -> execute(then), Math.max(0, nanos));
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
        if (isClosed()) {
            end.run();
        }
    }

    boolean isClosed() {
        return clock.isShutdown();
    }

    /**
     * Keeps the clock ticking while timers are started: without a tick, each new timer of a single caller would be the
     * next event.
     */
    private void keepTicking() {
        if (!isUsed) { // a write each time would slow down callers on other processors
            isUsed = true;
        }
        if (!isTicking.get() && isTicking.compareAndSet(false, true)) {
            scheduleTick();
        }
    }

    private void scheduleTick() {
        try {
            Future<?> unused = schedule(this::tick, TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
        } catch (RejectedExecutionException e) {
            isTicking.set(false); // closed
        }
    }

    private void tick() {
        if (isUsed) {
            isUsed = false;
            scheduleTick();
        } else {
            isTicking.set(false);
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the backend was closed");
    }

    /**
     * Ends the threads after all running and waiting tasks. Completes the futures of timers that are not due with an
     * {@link IllegalStateException}. Idempotent.
     */
    @Override
    public void close() {
        clock.shutdownNow();
        workers.shutdown();
        // The workers may all wait for tasks in the queue, and no more workers are started.
        for (Runnable task = workers.getQueue().poll();
                task != null;
                task = workers.getQueue().poll()) {
            workers.getThreadFactory().newThread(task).start();
        }
        pending.forEach(Runnable::run);
    }
}
