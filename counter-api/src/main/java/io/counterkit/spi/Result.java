package io.counterkit.spi;

import io.counterkit.CounterException;
import org.jspecify.annotations.Nullable;

/**
 * The result of one request of a batch: applied, with or without a value; failed; or {@link #retry()}.
 *
 * @param value the value; null for an add, a failure and a retry
 * @param failure the failure, whose type states whether the request may have been applied; otherwise null
 * @param isRetry whether the request was not applied and must be sent again in another batch
 */
public record Result<T>(@Nullable T value, @Nullable CounterException failure, boolean isRetry) {
    private static final Result<?> APPLIED = new Result<>(null, null, false);
    private static final Result<?> RETRY = new Result<>(null, null, true);

    /** Returns the result of a request that was applied and has no value. */
    @SuppressWarnings("unchecked")
    public static Result<Void> applied() {
        return (Result<Void>) APPLIED;
    }

    /** Returns the result of a request that was applied, now or earlier with the same token. */
    public static <T> Result<T> of(T value) {
        return new Result<>(value, null, false);
    }

    /** Returns the result of a request that failed. */
    public static <T> Result<T> failed(CounterException failure) {
        return new Result<>(null, failure, false);
    }

    /**
     * Returns the result of a request that was not applied because of others in its batch, and never will be by this
     * commit. The API layer sends it again in another batch.
     *
     * <p>To guarantee progress, a backend may return this only if another request of the batch was decided, or if a
     * caller that left has resolved the commit's token as not applied.
     */
    @SuppressWarnings("unchecked")
    public static <T> Result<T> retry() {
        return (Result<T>) RETRY;
    }

    /** Returns whether the request was applied, now or earlier. */
    public boolean isApplied() {
        return failure == null && !isRetry;
    }

    /**
     * Returns the value.
     *
     * @throws CounterException if the request failed
     * @throws IllegalStateException if there is no value
     */
    public T orThrow() {
        if (failure != null) {
            throw failure;
        }
        if (value == null) {
            throw new IllegalStateException("no value");
        }
        return value;
    }
}
