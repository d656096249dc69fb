package io.counterkit.internal.request;

import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.internal.batch.Failures;
import io.counterkit.internal.batch.GeneratedToken;
import io.counterkit.internal.batch.PendingRequest;
import io.counterkit.internal.batch.Resolver;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Reasons;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Asks the store what became of a token. */
final class TokenResolver implements Resolver {
    private final CounterBackend backend;
    private final BackendInvoker calls;

    TokenResolver(CounterBackend backend, BackendInvoker calls) {
        this.backend = backend;
        this.calls = calls;
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken commit, ChangeTarget origin, Call call) {
        return BackendInvoker.begin(() -> backend.resolve(commit, origin, call));
    }

    PendingRequest<Resolution> resolve(IdempotencyToken token) {
        GeneratedToken minted = GeneratedToken.parse(token);
        return calls.change(
                "resolving token " + token,
                () -> token,
                () -> minted == null
                        ? ask(token, null, token)
                        : decide(minted)
                                .thenCompose(first -> first.applied() || !isRepeatable(minted)
                                        ? CompletableFuture.completedFuture(first)
                                        : ask(token, null, token)));
    }

    /** What became of the commit that a minted token came from; not of a repetition under that token. */
    CompletableFuture<Resolution> decide(GeneratedToken minted) {
        return ask(minted.commitToken(), minted.origin(), minted.toToken()).thenApply(decided -> {
            if (!decided.applied()) {
                return decided;
            }
            return switch (minted.kind()) {
                case ADD -> new Resolution.Added(minted.name(), minted.delta());
                case APPEND -> decided;
                case COUNTER, SEQUENCE -> new Resolution.Done(minted.name());
            };
        });
    }

    /** Whatever goes wrong here, what the token stands for is not known. */
    private CompletableFuture<Resolution> ask(
            IdempotencyToken asked, @Nullable ChangeTarget origin, IdempotencyToken held) {
        return BackendInvoker.begin(() -> backend.resolve(asked, origin, calls.call()))
                .handle((resolution, failure) -> {
                    if (failure == null) {
                        return resolution;
                    }
                    Throwable cause = Failures.unwrap(failure);
                    throw new OutcomeUnknownException(
                            "the store could not be asked for token " + held + ": " + Reasons.of(cause), held, cause);
                });
    }

    private static boolean isRepeatable(GeneratedToken minted) {
        return minted.kind() == GeneratedToken.Kind.ADD || minted.kind() == GeneratedToken.Kind.APPEND;
    }
}
