package io.counterkit.internal.follow;

import io.counterkit.spi.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on an executor of the application, which may drop them. After a failure or an interrupt, waits for the
 * tasks that have begun, and starts no others.
 */
public final class RangeTasks {
    private static final long TICK_MILLIS = 100;

    private final Executor executor;
    private final List<Task> tasks = new ArrayList<>();
    private volatile boolean isStopped;

    public RangeTasks(Executor executor) {
        this.executor = executor;
    }

    /** Returns whether the tasks should end early. */
    public boolean isStopped() {
        return isStopped;
    }

    /**
     * Starts a task.
     *
     * @param work returns true if it has finished, false if it was stopped
     */
    public void start(BooleanSupplier work) {
        Task task = new Task(work);
        tasks.add(task);
        try {
            executor.execute(task);
        } catch (Throwable e) { // an Error too: the tasks that run have to end before the caller continues
            task.drop(e instanceof RejectedExecutionException ? refusal(e) : e);
        }
    }

    private static RejectedExecutionException refusal(@Nullable Throwable cause) {
        return new RejectedExecutionException(
                "the executor has ended, or refused a range, before all ranges were processed: run the job again to continue",
                cause);
    }

    /**
     * Waits for all tasks, and returns true if all are finished.
     *
     * @return false if this thread was interrupted meanwhile; its flag is restored
     * @throws RejectedExecutionException if the executor refused a task, or ended before it ran all tasks
     * @throws RuntimeException the exception of the first task that failed, which may be an {@link Error}; those of the
     *     others are suppressed
     */
    public boolean await() {
        boolean isInterrupted = awaitEnds();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        throwFirst();
        return tasks.stream().allMatch(task -> task.end.join());
    }

    private boolean awaitEnds() {
        boolean isInterrupted = false;
        CompletableFuture<Void> all =
                CompletableFuture.allOf(tasks.stream().map(task -> task.end).toArray(CompletableFuture<?>[]::new));
        while (!all.isDone()) {
            if (isStopped) {
                tasks.forEach(task -> task.drop(null));
            } else if (executor instanceof ExecutorService service && service.isTerminated()) {
                tasks.forEach(task -> task.drop(refusal(null)));
            }
            try {
                all.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                isInterrupted = true;
                isStopped = true;
            } catch (ExecutionException | TimeoutException e) {
                // Failures are thrown when all tasks have ended.
            }
        }
        return isInterrupted;
    }

    private void throwFirst() {
        List<Throwable> failures = tasks.stream()
                .filter(task -> task.end.isCompletedExceptionally())
                .map(task -> task.end.handle((isFinished, failure) -> failure).join())
                .toList();
        if (failures.isEmpty()) {
            return;
        }
        Throwable first = failures.get(0);
        failures.stream().filter(other -> other != first).forEach(first::addSuppressed);
        Futures.join(CompletableFuture.failedFuture(first));
    }

    /** Runs once, or never if it was dropped before. */
    private final class Task implements Runnable {
        private final BooleanSupplier work;
        private final AtomicBoolean isTaken = new AtomicBoolean();
        private final CompletableFuture<Boolean> end = new CompletableFuture<>();

        Task(BooleanSupplier work) {
            this.work = work;
        }

        @Override
        public void run() {
            if (isTaken.getAndSet(true)) {
                return;
            }
            try {
                end.complete(work.getAsBoolean());
            } catch (Throwable e) { // an Error too: the caller must not wait for this task
                isStopped = true;
                end.completeExceptionally(e);
            }
        }

        /** Ends a task that has not begun. */
        void drop(@Nullable Throwable reason) {
            if (isTaken.getAndSet(true)) {
                return;
            }
            if (reason == null) {
                end.complete(false);
            } else {
                isStopped = true;
                end.completeExceptionally(reason);
            }
        }
    }
}
