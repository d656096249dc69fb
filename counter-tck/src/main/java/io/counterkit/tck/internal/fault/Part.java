package io.counterkit.tck.internal.fault;

import io.counterkit.IdempotencyToken;
import io.counterkit.spi.Commit;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A change, alone or one of several that are sent together.
 *
 * @param start sends the change
 * @param state reads the state that the change affects, in another process
 * @param before the state without the change
 * @param after the state with the change
 * @param token the caller's token, or null
 * @param repeat sends the change again with a token; null if it takes none
 * @param again sends the change again with a long deadline, after any outcome, as an import; null if that needs a token
 */
public record Part(
        Supplier<? extends CompletableFuture<?>> start,
        Supplier<?> state,
        Object before,
        Object after,
        @Nullable IdempotencyToken token,
        @Nullable Function<IdempotencyToken, CompletableFuture<?>> repeat,
        @Nullable Supplier<CompletableFuture<?>> again) {
    /** Returns a change that takes no token. */
    public static Part of(
            Supplier<? extends CompletableFuture<?>> start, Supplier<?> state, Object before, Object after) {
        return new Part(start, state, before, after, null, null, null);
    }

    /** Returns a change below the API layer that may be sent again after any outcome. */
    static Part repeatable(
            Stage stage,
            Function<Commit, CompletableFuture<?>> change,
            Supplier<?> state,
            Object before,
            Object after) {
        return new Part(
                () -> change.apply(stage.actingCommit()),
                state,
                before,
                after,
                null,
                null,
                () -> change.apply(stage.commit()));
    }
}
