package io.counterkit.internal.batch;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import java.util.concurrent.CompletableFuture;

/** Decides the outcome of a commit, as {@link io.counterkit.spi.CounterBackend#resolve} does. Thread-safe. */
@FunctionalInterface
public interface Resolver {
    /** Says whether the change was applied that {@code token} covers, or makes sure that it never will be. */
    CompletableFuture<Resolution> resolve(IdempotencyToken token, ChangeTarget origin, Call call);
}
