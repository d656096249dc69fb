package io.counterkit.firestore.internal.client;

import io.counterkit.spi.Futures;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The store's answer to a commit.
 *
 * @param problem null if the commit was applied, otherwise {@link StoreError#EXISTS} or {@link StoreError#MISSING}
 * @param value the value of an applied commit
 */
public record Answer<T>(
        @Nullable StoreError problem, @Nullable T value) {
    public boolean isApplied() {
        return problem == null;
    }

    /**
     * Returns the answer to a commit that updates documents only if they are unchanged since they were read. If one was
     * changed, the answer is {@link StoreError#MISSING}, as if it had been deleted: this attempt was not applied.
     */
    public static <T> CompletableFuture<Answer<T>> orMissing(CompletableFuture<Answer<T>> commit) {
        return commit.exceptionallyCompose(failure -> FirestoreErrors.isStale(failure)
                ? CompletableFuture.completedFuture(new Answer<>(StoreError.MISSING, null))
                : CompletableFuture.failedFuture(Futures.unwrap(failure)));
    }
}
