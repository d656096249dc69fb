package io.counterkit.migration.internal.routing;

import io.counterkit.CounterException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Result;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends changes to the store that holds their names. A change that this migration's seal at the source refuses was not
 * applied there and never will be, so it is sent to the target under the same commit.
 */
final class Router {
    private final StorePair stores;
    private final NameMover mover;
    private final NameLocator locator;

    Router(StorePair stores, RoutingParts parts) {
        this.stores = stores;
        this.mover = parts.mover();
        this.locator = parts.locator();
    }

    /** Sends one change. */
    <T> CompletableFuture<T> send(
            ChangeTarget.Kind kind,
            String name,
            Commit commit,
            Supplier<CompletableFuture<T>> atSource,
            Function<MoveRecord, CompletableFuture<T>> atTarget) {
        return route(kind, name, commit, () -> sendToSource(atSource, kind, name, commit, atTarget), atTarget);
    }

    /**
     * Sends a batch. The target receives a whole batch only, since the requests of a commit are identified by their
     * index in it. If the source has decided some of them, the others are retried in another batch.
     */
    <T> CompletableFuture<List<Result<T>>> sendBatch(
            ChangeTarget.Kind kind,
            String name,
            Commit commit,
            Supplier<CompletableFuture<List<Result<T>>>> atSource,
            Function<MoveRecord, CompletableFuture<List<Result<T>>>> atTarget) {
        return route(
                kind,
                name,
                commit,
                () -> sendToSource(atSource, kind, name, commit, atTarget)
                        .thenCompose(results -> refusedAsSealed(kind, name, commit, results))
                        .thenCompose(results -> {
                            boolean isWhole = results.stream().allMatch(result -> result.isRetry() || isSealed(result));
                            if (isWhole && results.stream().anyMatch(this::isSealed)) {
                                return sendToTarget(kind, name, commit, atTarget);
                            }
                            return CompletableFuture.completedFuture(results.stream()
                                    .map(result -> isSealed(result) ? Result.<T>retry() : result)
                                    .toList());
                        }),
                atTarget);
    }

    private <T> CompletableFuture<T> route(
            ChangeTarget.Kind kind,
            String name,
            Commit commit,
            Supplier<CompletableFuture<T>> atSource,
            Function<MoveRecord, CompletableFuture<T>> atTarget) {
        if (!stores.canSeal(kind)) {
            return atSource.get();
        }
        commit.token(); // made before a caller can leave: see Commit.isTokenMade
        return NotApplied.ifFailed(
                        locator.locateForChange(kind, name, commit), "moving '" + name + "' before its change")
                .thenCompose(moved -> moved.isPresent() ? atTarget.apply(moved.get()) : atSource.get());
    }

    private <T> CompletableFuture<T> sendToSource(
            Supplier<CompletableFuture<T>> atSource,
            ChangeTarget.Kind kind,
            String name,
            Commit commit,
            Function<MoveRecord, CompletableFuture<T>> atTarget) {
        return stores.send(commit, atSource)
                .exceptionallyCompose(failure -> stores.isOurSeal(Futures.unwrap(failure))
                        ? sendToTarget(kind, name, commit, atTarget)
                        : CompletableFuture.failedFuture(failure));
    }

    private <T> CompletableFuture<T> sendToTarget(
            ChangeTarget.Kind kind, String name, Commit commit, Function<MoveRecord, CompletableFuture<T>> atTarget) {
        return NotApplied.ifFailed(mover.complete(kind, name, commit), "completing the move of '" + name + "'")
                .thenCompose(atTarget);
    }

    /**
     * Replaces refusals of tokens with the seal if the name is sealed. Another process may have resolved the token at
     * the source as not applied, which the source reports before its seal; the target decides whether the token is
     * refused.
     */
    private <T> CompletableFuture<List<Result<T>>> refusedAsSealed(
            ChangeTarget.Kind kind, String name, Commit commit, List<Result<T>> results) {
        if (results.stream().noneMatch(Router::isRefused)) {
            return CompletableFuture.completedFuture(results);
        }
        return stores.sourceState(kind, name, commit)
                .thenApply(state -> {
                    Seal seal = state.seal();
                    return seal == null || !stores.isOurs(seal)
                            ? results
                            : results.stream()
                                    .map(result -> isRefused(result)
                                            ? Result.<T>failed(new SealedException(name, seal))
                                            : result)
                                    .toList();
                })
                .exceptionally(failure -> withUnlocated(name, results, failure));
    }

    /** Replaces the refusals, which may not be final since the location of the name is unknown. */
    private static <T> List<Result<T>> withUnlocated(String name, List<Result<T>> results, Throwable failure) {
        CounterException cause = NotApplied.because(failure, "locating '" + name + "' after its token was refused");
        return results.stream()
                .map(result -> isRefused(result) ? Result.<T>failed(cause) : result)
                .toList();
    }

    private static boolean isRefused(Result<?> result) {
        return result.failure() instanceof TokenRefusedException;
    }

    private boolean isSealed(Result<?> result) {
        return stores.isOurSeal(result.failure());
    }
}
