package io.counterkit.migration.internal.routing;

import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends changes to where their names are. What meets the seal at the source was surely not applied there, and never will
 * be: so it goes on to the target under the same commit.
 */
final class Routing {
    private final StorePair ends;
    private final NameMover moves;

    Routing(StorePair ends, NameMover moves) {
        this.ends = ends;
        this.moves = moves;
    }

    /** A change of one thing. */
    <T> CompletableFuture<T> ofOne(
            ChangeTarget.Kind kind,
            String name,
            Commit commit,
            Supplier<CompletableFuture<T>> atSource,
            Function<MoveRecord, CompletableFuture<T>> atTarget) {
        return route(kind, name, commit, () -> orOnwards(atSource, kind, name, commit, atTarget), atTarget);
    }

    /**
     * A batch. Only a whole one goes on, since the requests of a commit are told apart by their place in it; where some
     * were decided at the source, the rest is sent again in another batch.
     */
    <T> CompletableFuture<List<Result<T>>> ofBatch(
            ChangeTarget.Kind kind,
            String name,
            Commit commit,
            Supplier<CompletableFuture<List<Result<T>>>> atSource,
            Function<MoveRecord, CompletableFuture<List<Result<T>>>> atTarget) {
        return route(
                kind,
                name,
                commit,
                () -> orOnwards(atSource, kind, name, commit, atTarget)
                        .thenCompose(results -> withSealsFound(kind, name, commit, results))
                        .thenCompose(results -> {
                            if (results.stream().noneMatch(this::metTheSeal)) {
                                return CompletableFuture.completedFuture(results);
                            }
                            if (results.stream().allMatch(result -> result.isRetry() || metTheSeal(result))) {
                                return onwards(kind, name, commit, atTarget);
                            }
                            return CompletableFuture.completedFuture(results.stream()
                                    .map(result -> metTheSeal(result) ? Result.<T>retry() : result)
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
        if (!ends.canSeal(kind)) {
            return atSource.get();
        }
        commit.token(); // made now, since callers may leave on the way: see Commit.isTokenMade
        return Futures.beforehand(moves.placeOfChange(kind, name, commit), "moving '" + name + "' before its change")
                .thenCompose(moved -> moved.isPresent() ? atTarget.apply(moved.get()) : atSource.get());
    }

    private <T> CompletableFuture<T> orOnwards(
            Supplier<CompletableFuture<T>> atSource,
            ChangeTarget.Kind kind,
            String name,
            Commit commit,
            Function<MoveRecord, CompletableFuture<T>> atTarget) {
        return ends.ask(commit, atSource)
                .exceptionallyCompose(failure -> ends.isOurs(Futures.cause(failure))
                        ? onwards(kind, name, commit, atTarget)
                        : CompletableFuture.failedFuture(failure));
    }

    private <T> CompletableFuture<T> onwards(
            ChangeTarget.Kind kind, String name, Commit commit, Function<MoveRecord, CompletableFuture<T>> atTarget) {
        return Futures.beforehand(moves.finish(kind, name, commit), "finishing the move of '" + name + "'")
                .thenCompose(atTarget);
    }

    /**
     * A token that another process has asked for at the source after the seal stands there for "not applied", and the
     * source says so before it says that it is sealed. What the token stands for in all is decided at the target.
     */
    private <T> CompletableFuture<List<Result<T>>> withSealsFound(
            ChangeTarget.Kind kind, String name, Commit commit, List<Result<T>> results) {
        if (results.stream().noneMatch(Routing::isRefused)) {
            return CompletableFuture.completedFuture(results);
        }
        return moves.readState(kind, name, commit)
                .thenApply(state -> {
                    Seal seal = state.seal();
                    return seal == null || !ends.isOurs(seal)
                            ? results
                            : results.stream()
                                    .map(result -> isRefused(result)
                                            ? Result.<T>failed(new SealedException(name, seal))
                                            : result)
                                    .toList();
                })
                .exceptionally(failure -> results);
    }

    private static boolean isRefused(Result<?> result) {
        return result.failure() instanceof TokenRefusedException;
    }

    private boolean metTheSeal(Result<?> result) {
        return result.failure() != null && ends.isOurs(result.failure());
    }
}
