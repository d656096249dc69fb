package io.counterkit;

import io.counterkit.combining.Failures;
import io.counterkit.combining.MintedToken;
import io.counterkit.combining.Resolver;
import io.counterkit.combining.Waiter;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Origin;
import io.counterkit.spi.Reasons;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Asks the store what became of a token. */
final class Tokens implements Resolver {
    private final CounterBackend backend;
    private final StoreCalls calls;

    Tokens(CounterBackend backend, StoreCalls calls) {
        this.backend = backend;
        this.calls = calls;
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken commit, Origin origin, Call call) {
        return backend.resolve(commit, origin, call);
    }

    Waiter<Resolution> resolve(IdempotencyToken token) {
        MintedToken minted = MintedToken.parse(token);
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
    CompletableFuture<Resolution> decide(MintedToken minted) {
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
    private CompletableFuture<Resolution> ask(IdempotencyToken asked, @Nullable Origin origin, IdempotencyToken held) {
        return StoreCalls.begin(() -> backend.resolve(asked, origin, calls.call()))
                .handle((resolution, failure) -> {
                    if (failure == null) {
                        return resolution;
                    }
                    Throwable cause = Failures.unwrap(failure);
                    throw new OutcomeUnknownException(
                            "the store could not be asked for token " + held + ": " + Reasons.of(cause), held, cause);
                });
    }

    private static boolean isRepeatable(MintedToken minted) {
        return minted.kind() == MintedToken.Kind.ADD || minted.kind() == MintedToken.Kind.APPEND;
    }
}
