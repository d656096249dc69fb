package io.counterkit.firestore.internal.counter;

import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The results of the adds of a commit that was applied before, or that some of its counters refuse. */
record AddAnswers(TokenStore tokens, CommitAdds adds) {
    /**
     * Returns the results of adds that are not sent. Only the adds to counters that refuse them fail; the others are
     * retried. An add that was applied earlier is found by its token.
     *
     * @param sent the tokens of the attempts that were sent before; null if there was none
     */
    CompletableFuture<List<Result<Void>>> withoutCommit(@Nullable Collection<IdempotencyToken> sent) {
        Commit commit = adds.commit();
        Map<String, CounterException> refusals = adds.refusals();
        if (sent == null) {
            List<IdempotencyToken> ofCallers = adds.requests().stream()
                    .map(AddRequest::token)
                    .filter(Objects::nonNull)
                    .toList();
            return tokens.read(ofCallers, commit).thenApply(found -> of(found.documents(), refusals, false));
        }
        // A seal stops an attempt that is still in flight. Other refusals do not, so its token is voided.
        boolean mayArriveLate = !refusals.values().stream().allMatch(SealedException.class::isInstance);
        CompletableFuture<?> ended = mayArriveLate && sent.contains(commit.token())
                ? tokens.resolve(commit.token(), null, commit)
                : CompletableFuture.completedFuture(null);
        return ended.thenCompose(done -> tokens.read(sent, commit))
                .thenApply(found -> of(found.documents(), refusals, mayArriveLate));
    }

    /** Returns the results after a commit that was refused because some of its tokens exist. */
    List<Result<Void>> of(Map<IdempotencyToken, TokenDocument> found) {
        return of(found, Map.of(), false);
    }

    private List<Result<Void>> of(
            Map<IdempotencyToken, TokenDocument> found, Map<String, CounterException> refusals, boolean mayArriveLate) {
        List<Result<Void>> results = new ArrayList<>();
        for (AddRequest request : adds.requests()) {
            IdempotencyToken token = request.token();
            TokenDocument document = found.get(token == null ? adds.commit().token() : token);
            if (document == null || (token == null && document.isVoid())) {
                CounterException refusal = refusals.get(request.name());
                results.add(refusal == null ? Result.retry() : Result.failed(failure(token, refusal, mayArriveLate)));
            } else if (token == null || document.isFor(request)) {
                results.add(Result.applied());
            } else {
                String add = "add of " + request.delta() + " to '" + request.name() + "'";
                results.add(Result.failed(new TokenRefusedException(add, token, document.resolution(null))));
            }
        }
        return results;
    }

    private static CounterException failure(
            @Nullable IdempotencyToken token, CounterException refusal, boolean mayArriveLate) {
        return token == null || !mayArriveLate || refusal instanceof SealedException
                ? refusal
                : new OutcomeUnknownException(
                        refusal.getMessage() + "; an earlier attempt may still be applied: repeat the add with token "
                                + token + ", or resolve the token",
                        token,
                        refusal);
    }
}
