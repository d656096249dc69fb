package io.counterkit.migration.internal.job;

import io.counterkit.NotAppliedException;
import io.counterkit.migration.internal.routing.Futures;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Runs the steps of many chains of futures on the one thread that waits for them, because a store may be bound to that
 * thread, as App Engine's is. So what the steps share needs no locks.
 */
public final class CallerLoop implements Executor {
    /** How much longer than its call a future may take: a backend that answers by itself is waited for. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final BlockingQueue<Runnable> ready = new LinkedBlockingQueue<>();
    private final Duration deadline;
    private final Timers timers;

    /** @param deadline how long each call to a store may take */
    public CallerLoop(Duration deadline, Timers timers) {
        this.deadline = deadline;
        this.timers = timers;
    }

    @Override
    public void execute(Runnable step) {
        ready.add(step);
    }

    /** Sends a call, and has its answer or failure on this loop's thread. What it throws fails the future. */
    <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> sent;
        try {
            // A copy, since the backend's own future is not ours to complete.
            sent = timers.orTimeout(
                    call.get().copy(), deadline.plus(GRACE).toNanos(), "the store did not answer in time");
        } catch (RuntimeException e) {
            sent = CompletableFuture.failedFuture(e);
        }
        return sent.whenCompleteAsync((answer, failure) -> {}, this); // unlike thenApplyAsync, a failure too
    }

    /** The same later, when a pause is over. */
    <T> CompletableFuture<T> callAfter(long pauseNanos, Supplier<CompletableFuture<T>> call) {
        return pause(pauseNanos).thenCompose(over -> call(call));
    }

    /** Completes on this loop's thread when so much time is over. */
    CompletableFuture<Void> pause(long nanos) {
        return timers.after(nanos).whenCompleteAsync((over, failure) -> {}, this);
    }

    /**
     * Runs steps until the future is completed, and returns its value.
     *
     * @param what what the future does, for messages
     * @throws NotAppliedException if it failed, whatever with
     */
    <T> T await(CompletableFuture<T> awaited, String what) throws InterruptedException {
        CompletableFuture<Void> unused = awaited.handle((value, failure) -> {
            execute(() -> {}); // wakes the loop
            return null;
        });
        runWhile(() -> !awaited.isDone());
        try {
            return awaited.join();
        } catch (CompletionException e) {
            throw Futures.notApplied(e, what);
        }
    }

    /** Runs steps as long as this holds, which only a step may change. */
    void runWhile(BooleanSupplier isToGoOn) throws InterruptedException {
        while (isToGoOn.getAsBoolean()) {
            ready.take().run();
        }
    }
}
