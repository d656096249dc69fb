package io.counterkit.migration.internal.job;

import io.counterkit.CountersListener;
import io.counterkit.NotAppliedException;
import io.counterkit.migration.internal.routing.NotApplied;
import io.counterkit.spi.Call;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Runs the steps of many futures on the one thread that waits for them, since a store may be bound to that thread, as
 * App Engine's is. The state that the steps share needs no locks.
 */
public final class CallerLoop implements Executor {
    /** The time that a future may take beyond the deadline of its call, which the backend itself should keep. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final BlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();
    private final Duration deadline;
    private final Timers timers;

    /** @param deadline the deadline of each call to a store */
    public CallerLoop(Duration deadline, Timers timers) {
        this.deadline = deadline;
        this.timers = timers;
    }

    @Override
    public void execute(Runnable step) {
        steps.add(step);
    }

    /**
     * Sends a call and completes the future on this loop's thread. An exception that the call throws fails the future.
     */
    <T> CompletableFuture<T> call(Function<Call, CompletableFuture<T>> call) {
        CompletableFuture<T> sent;
        try {
            sent = timers.orTimeout(
                    call.apply(new Call(deadline, CountersListener.disabled()))
                            .copy(), // the timeout must not complete the backend's own future
                    deadline.plus(GRACE).toNanos(),
                    "the store did not answer in time");
        } catch (RuntimeException e) {
            sent = CompletableFuture.failedFuture(e);
        }
        return sent.whenCompleteAsync((answer, failure) -> {}, this); // unlike thenApplyAsync, also passes failures
    }

    /** Sends a call after a pause. */
    <T> CompletableFuture<T> callAfter(long pauseNanos, Function<Call, CompletableFuture<T>> call) {
        return pause(pauseNanos).thenCompose(over -> call(call));
    }

    /** Returns a future that completes on this loop's thread after a pause. */
    CompletableFuture<Void> pause(long nanos) {
        return timers.after(nanos).whenCompleteAsync((over, failure) -> {}, this);
    }

    /**
     * Runs steps until the future completes, and returns its value.
     *
     * @param what the operation in words, for messages
     * @throws NotAppliedException if the future fails
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
            throw NotApplied.because(e, what);
        }
    }

    /** Runs steps while the condition holds. Only a step may change it. */
    void runWhile(BooleanSupplier condition) throws InterruptedException {
        while (condition.getAsBoolean()) {
            steps.take().run();
        }
    }
}
