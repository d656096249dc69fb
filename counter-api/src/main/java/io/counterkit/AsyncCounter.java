package io.counterkit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The non-blocking form of {@link Counter}. Each method has the same effect as the method of {@code Counter} with the
 * same name. Its future completes by the deadline, with the result or with the {@link CounterException} that the
 * blocking method throws. Other exceptions are thrown by the method itself: for an invalid argument, a missing
 * capability, or use after close. If only the store can tell that an argument is invalid, such as the number of an entry
 * to erase or the cursor of a page, the future fails with {@link IllegalArgumentException}.
 *
 * <p>Dependent stages without an executor run on a thread of the backend and must not block. Cancelling a future
 * withdraws its request if it has not been sent yet, and has no effect otherwise. Thread-safe.
 */
public interface AsyncCounter {
    /** Returns the counter's name. */
    String name();

    /** See {@link Counter#increment()}. */
    default CompletableFuture<Void> increment() {
        return add(1);
    }

    /** See {@link Counter#add(long)}. */
    CompletableFuture<Void> add(long delta);

    /** See {@link Counter#add(long, IdempotencyToken)}. */
    CompletableFuture<Void> add(long delta, IdempotencyToken token);

    /** See {@link Counter#get()}. */
    default CompletableFuture<Long> get() {
        return read(Duration.ZERO).thenApply(Reading::value);
    }

    /** See {@link Counter#read(Duration)}. */
    CompletableFuture<Reading> read(Duration maxStaleness);

    /** See {@link Counter#reset()}. */
    CompletableFuture<Void> reset();

    /** See {@link Counter#delete()}. */
    CompletableFuture<Void> delete();

    /** See {@link Counter#seal(String)}. */
    CompletableFuture<Seal> seal(String forward);
}
