package io.counterkit.migration.internal.routing;

import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Resolves callers' tokens that may have been applied at the source before it was sealed. The answer of the source is
 * final: either the token was applied there, and its first result is returned, or it never will be.
 */
public class SourceTokens {
    private final StorePair stores;
    private final long retentionNanos;

    SourceTokens(StorePair stores) {
        this.stores = stores;
        this.retentionNanos = stores.sourceRetention().toNanos();
    }

    /**
     * Calls {@code atTarget} unless the source has applied one of the tokens. In that case returns the first results of
     * those, and retries the other requests in another batch.
     *
     * @param firstResult returns the first result of a request whose token was applied at the source
     */
    <Q, T> CompletableFuture<List<Result<T>>> before(
            List<Q> requests,
            Function<Q, @Nullable IdempotencyToken> tokenOf,
            MoveRecord moved,
            Call call,
            FirstResult<Q, T> firstResult,
            Supplier<CompletableFuture<List<Result<T>>>> atTarget) {
        if (!isRemembered(moved)) {
            return atTarget.get();
        }
        List<CompletableFuture<Result<T>>> results = new ArrayList<>();
        for (Q request : requests) {
            IdempotencyToken token = tokenOf.apply(request);
            results.add(
                    token == null
                            ? CompletableFuture.completedFuture(Result.retry())
                            : resolveAtSource(request, token, call, firstResult));
        }
        return Futures.all(results)
                .thenCompose(resolved -> resolved.stream().allMatch(Result::isRetry)
                        ? atTarget.get()
                        : CompletableFuture.completedFuture(resolved));
    }

    /**
     * Resolves a token at both stores, first at the target. So if this call is interrupted between the two, the source
     * does not refuse a token that the target accepts. After the target has resolved a token as not applied, it can
     * only be applied at the source, which is asked last.
     */
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget changed, Call call) {
        return stores.send(call, () -> stores.target().resolve(token, changed, call))
                .thenCompose(resolution -> resolution.applied()
                        ? CompletableFuture.completedFuture(resolution)
                        : stores.send(call, () -> stores.source().resolve(token, changed, call)));
    }

    /**
     * Returns whether the source may still remember a token from before the seal. The retention starts when this
     * process first read the seal, since the time in the seal is by another clock.
     */
    private boolean isRemembered(MoveRecord moved) {
        return stores.nanoTime() - moved.seenNanos() <= retentionNanos;
    }

    /** Returns the first result, or a retry if the token was not applied at the source and now cannot be. */
    private <Q, T> CompletableFuture<Result<T>> resolveAtSource(
            Q request, IdempotencyToken token, Call call, FirstResult<Q, T> firstResult) {
        return NotApplied.ifFailed(
                        stores.send(call, () -> stores.source().resolve(token, null, call)),
                        "resolving token " + token + " at the source")
                .thenCompose(resolution -> resolution.applied()
                        ? NotApplied.ifFailed(
                                firstResult.of(request, resolution), "reading the change with token " + token)
                        : CompletableFuture.completedFuture(Result.<T>retry()))
                .exceptionally(failure -> Result.failed((CounterException) Futures.unwrap(failure)));
    }

    /** Returns the failure of a request whose token was used for another change. */
    static CounterException refused(String attempted, @Nullable IdempotencyToken token, Resolution resolution) {
        return new TokenRefusedException(attempted + ": token " + token + " stands for " + resolution
                + ", from before the migration; use another token");
    }

    /** Compares a request with the change that was applied with its token. */
    interface FirstResult<Q, T> {
        CompletableFuture<Result<T>> of(Q request, Resolution resolution);
    }
}
