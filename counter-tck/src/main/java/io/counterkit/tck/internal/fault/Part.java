package io.counterkit.tck.internal.fault;

import io.counterkit.IdempotencyToken;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One change, alone or as one of several that are sent together.
 *
 * @param start sends it
 * @param state reads, in another process, what it changes
 * @param before the state without it
 * @param after the state with it
 * @param token the caller's token that it carries, or null
 * @param repeat sends it again with a token; null if it does not take one
 */
public record Part(
        Supplier<? extends CompletableFuture<?>> start,
        Supplier<?> state,
        Object before,
        Object after,
        @Nullable IdempotencyToken token,
        @Nullable Function<IdempotencyToken, CompletableFuture<?>> repeat) {
    /** A change without a token that cannot take one. */
    public static Part of(
            Supplier<? extends CompletableFuture<?>> start, Supplier<?> state, Object before, Object after) {
        return new Part(start, state, before, after, null, null);
    }
}
