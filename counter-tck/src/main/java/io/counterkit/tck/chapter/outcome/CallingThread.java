package io.counterkit.tck.chapter.outcome;

import io.counterkit.tck.internal.fault.ConcurrentTasks;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A task whose thread must not wait for the store. */
final class CallingThread<T> {
    /** A thread that is found waiting in so many checks in a row is assumed to wait for the store. */
    private static final int WAITS = 10;

    private static final long INTERVAL_MILLIS = 100;
    private static final int MAX_POLLS = 100;

    private final CompletableFuture<Thread> thread = new CompletableFuture<>();
    private final Future<T> result;

    /** Starts a task. */
    CallingThread(ConcurrentTasks tasks, Callable<T> task) {
        result = tasks.start(() -> {
            thread.complete(Thread.currentThread());
            return task.call();
        });
    }

    /** Waits for the end of the task, and returns its result. */
    T result() throws Exception {
        return ConcurrentTasks.result(result);
    }

    /**
     * Waits until the task returns.
     *
     * @throws AssertionError if its thread waits for a second, or the task takes ten seconds; the cause has the stack
     *     of the thread
     */
    void awaitReturn(String label) throws Exception {
        int waits = 0;
        for (int polls = 0; waits < WAITS && polls < MAX_POLLS; polls++) {
            try {
                result.get(INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                waits = isWaiting() ? waits + 1 : 0;
            }
        }
        StackTraceElement[] frames = thread.get().getStackTrace();
        Throwable stack = new Throwable("the caller's thread");
        stack.setStackTrace(frames);
        throw new AssertionError(
                label + ": the call did not return to its caller while the store did not answer, although the limits"
                        + " do not declare callerRuns; its thread is in " + firstOutsideJdk(frames),
                stack);
    }

    private static String firstOutsideJdk(StackTraceElement[] frames) {
        return Arrays.stream(frames)
                .filter(frame -> !frame.getClassName().startsWith("java.")
                        && !frame.getClassName().startsWith("jdk."))
                .findFirst()
                .map(StackTraceElement::toString)
                .orElse("no method");
    }

    private boolean isWaiting() {
        return thread.isDone()
                && switch (thread.join().getState()) {
                    case BLOCKED, WAITING, TIMED_WAITING -> true;
                    case NEW, RUNNABLE, TERMINATED -> false;
                };
    }
}
