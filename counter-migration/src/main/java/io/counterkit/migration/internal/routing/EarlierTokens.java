package io.counterkit.migration.internal.routing;

import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Callers' tokens that may have been applied at the source, before it was sealed. The source decides them: applied, and
 * then its first result is the answer; or not, and then they never will be there.
 */
public class EarlierTokens {
    private final StorePair ends;
    private final long retentionNanos;

    EarlierTokens(StorePair ends) {
        this.ends = ends;
        this.retentionNanos = ends.sourceRetention().toNanos();
    }

    /**
     * Carries out {@code atTarget}, unless the source has an answer to one of the requests: then the answers, and the
     * rest is sent again in another batch.
     *
     * @param first the answer to a request whose token was applied at the source
     */
    <Q, T> CompletableFuture<List<Result<T>>> before(
            List<Q> requests,
            Function<Q, @Nullable IdempotencyToken> tokenOf,
            MoveRecord moved,
            Call call,
            FirstResult<Q, T> first,
            Supplier<CompletableFuture<List<Result<T>>>> atTarget) {
        if (!isRemembered(moved)) {
            return atTarget.get();
        }
        List<CompletableFuture<Result<T>>> asked = new ArrayList<>();
        for (Q request : requests) {
            IdempotencyToken token = tokenOf.apply(request);
            asked.add(
                    token == null
                            ? CompletableFuture.completedFuture(Result.retry())
                            : ask(request, token, call, first));
        }
        return Futures.all(asked)
                .thenCompose(answers -> answers.stream().allMatch(Result::isRetry)
                        ? atTarget.get()
                        : CompletableFuture.completedFuture(answers));
    }

    /**
     * Decides a token at both ends, the source first: a change is tried there before it goes on to the target, so that
     * what neither has applied by then is applied nowhere.
     */
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
        return ends.ask(call, () -> ends.source().resolve(token, origin, call))
                .thenCompose(decided -> decided.applied()
                        ? CompletableFuture.completedFuture(decided)
                        : ends.ask(call, () -> ends.target().resolve(token, origin, call)));
    }

    /**
     * Whether a token from before the seal may still be remembered at the source. This process measures the time since it
     * first read the seal, which is not before the seal was put. The time of the seal is by another clock, and may be wrong.
     */
    private boolean isRemembered(MoveRecord moved) {
        return ends.nanoTime() - moved.seenNanos() <= retentionNanos;
    }

    /** The first result, or "again" for a token that was not applied at the source and now cannot be. */
    private <Q, T> CompletableFuture<Result<T>> ask(
            Q request, IdempotencyToken token, Call call, FirstResult<Q, T> first) {
        return ends.ask(call, () -> ends.source().resolve(token, null, call))
                .thenCompose(decided -> decided.applied()
                        ? first.of(request, decided)
                        : CompletableFuture.completedFuture(Result.<T>retry()))
                .exceptionally(
                        failure -> Result.failed(Futures.notApplied(failure, "asking the source for token " + token)));
    }

    /** The refusal of a token that stands for something else. */
    static CounterException refused(Object request, Resolution decided) {
        return new TokenRefusedException(request + ": its token stands for " + decided + " before the migration");
    }

    /** Compares a request with what was applied under its token. */
    interface FirstResult<Q, T> {
        CompletableFuture<Result<T>> of(Q request, Resolution decided);
    }
}
