package io.counterkit.spi;

import io.counterkit.CounterException;
import org.jspecify.annotations.Nullable;

/**
 * What became of one request of a batch. Exactly one of three: a value, a failure, or {@link #retry()}.
 *
 * @param value what the request asked for; null for an add, and wherever there is no value
 * @param failure why there is none; its class says whether the request may have been applied
 * @param isRetry whether the request was surely not applied and is to be put into another batch
 */
public record Result<T>(@Nullable T value, @Nullable CounterException failure, boolean isRetry) {
    private static final Result<?> APPLIED = new Result<>(null, null, false);
    private static final Result<?> RETRY = new Result<>(null, null, true);

    /** The request was applied and has nothing to tell. */
    @SuppressWarnings("unchecked")
    public static Result<Void> applied() {
        return (Result<Void>) APPLIED;
    }

    /** The request was carried out, now or earlier under the same token, with this result. */
    public static <T> Result<T> of(T value) {
        return new Result<>(value, null, false);
    }

    /** The request failed. */
    public static <T> Result<T> failed(CounterException failure) {
        return new Result<>(null, failure, false);
    }

    /** Whether the request was carried out, now or earlier. */
    public boolean isApplied() {
        return failure == null && !isRetry;
    }

    /**
     * The value.
     *
     * @throws CounterException the failure, if there is one
     * @throws IllegalStateException if there is neither
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

    /**
     * The request was surely not applied because of its neighbours, and never will be under this commit: the API layer
     * sends it again in another batch. Allowed only if another request of the batch was decided, or if the token of the
     * commit was found resolved as not applied (by a caller who left), so that each batch gets on.
     */
    @SuppressWarnings("unchecked")
    public static <T> Result<T> retry() {
        return (Result<T>) RETRY;
    }
}
