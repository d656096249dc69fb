package io.counterkit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * {@link Counter} without blocking. Each method does what its namesake there does and completes its future with the
 * result or with the exception that is thrown there; argument errors and use after close are thrown at once. A future
 * is completed by the deadline. Dependent stages without an executor run on a thread of the backend: do not block there.
 * Cancelling a future withdraws a request that is still waiting and does not stop one that was sent. Thread-safe.
 */
public interface AsyncCounter {
    /** The counter's name. */
    String name();

    /** Adds 1. */
    default CompletableFuture<Void> increment() {
        return add(1);
    }

    /** {@link Counter#add(long)}. */
    CompletableFuture<Void> add(long delta);

    /** {@link Counter#add(long, IdempotencyToken)}. */
    CompletableFuture<Void> add(long delta, IdempotencyToken token);

    /** {@link Counter#get()}. */
    default CompletableFuture<Long> get() {
        return read(Duration.ZERO).thenApply(Reading::value);
    }

    /** {@link Counter#read(Duration)}. */
    CompletableFuture<Reading> read(Duration maxStaleness);

    /** {@link Counter#reset()}. */
    CompletableFuture<Void> reset();

    /** {@link Counter#delete()}. */
    CompletableFuture<Void> delete();

    /** {@link Counter#seal(String)}. */
    CompletableFuture<Seal> seal(String forward);
}
