package io.counterkit.internal.request;

import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.internal.batch.GeneratedToken;
import io.counterkit.internal.batch.PendingRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Resolves tokens: callers' own, and those that outcome-unknown exceptions handed out. */
final class TokenResolver {
    private final CounterBackend backend;
    private final BackendInvoker invoker;

    TokenResolver(CounterBackend backend, BackendInvoker invoker) {
        this.backend = backend;
        this.invoker = invoker;
    }

    /**
     * Resolves a token. If the commit of a generated token was not applied, also resolves the token as a caller's own,
     * since a caller may have repeated the change with it.
     */
    PendingRequest<Resolution> resolve(IdempotencyToken token) {
        GeneratedToken generated = GeneratedToken.parse(Objects.requireNonNull(token, "token"));
        PendingRequest<Resolution> request = new PendingRequest<>("resolving token " + token, 0, invoker.pending());
        return invoker.change(
                request,
                () -> token,
                () -> generated == null
                        ? ask(token, null, token)
                        : resolve(generated)
                                .thenCompose(first -> first.applied() || !isRepeatable(generated)
                                        ? CompletableFuture.completedFuture(first)
                                        : ask(token, null, token)));
    }

    /** Resolves the commit of a generated token, but not a repetition with the token as a caller's own. */
    CompletableFuture<Resolution> resolve(GeneratedToken generated) {
        return ask(generated.commitToken(), generated.target(), generated.toToken())
                .thenApply(resolution -> {
                    if (!resolution.applied()) {
                        return resolution;
                    }
                    return switch (generated.kind()) {
                        case ADD -> new Resolution.Added(generated.name(), generated.delta());
                        case APPEND -> resolution;
                        case COUNTER, SEQUENCE -> new Resolution.Done(generated.name());
                    };
                });
    }

    /** Asks the backend. After any failure, the outcome of the change that {@code held} covers stays unknown. */
    private CompletableFuture<Resolution> ask(
            IdempotencyToken asked, @Nullable ChangeTarget target, IdempotencyToken held) {
        return BackendInvoker.begin(() -> backend.resolve(asked, target, invoker.newCall()))
                .handle((resolution, failure) -> {
                    if (failure == null) {
                        return resolution;
                    }
                    Throwable cause = Futures.unwrap(failure);
                    throw new OutcomeUnknownException(
                            "token " + held + " could not be resolved: " + Reasons.of(cause) + "; resolve it again",
                            held,
                            cause);
                });
    }

    private static boolean isRepeatable(GeneratedToken generated) {
        return generated.kind() == GeneratedToken.Kind.ADD || generated.kind() == GeneratedToken.Kind.APPEND;
    }

    static TokenRefusedException refusal(PendingRequest<?> request, IdempotencyToken token) {
        return new TokenRefusedException(
                request.what() + ": token " + token + " stands for another operation; use another token");
    }
}
