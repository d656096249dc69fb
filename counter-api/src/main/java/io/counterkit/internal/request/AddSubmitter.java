package io.counterkit.internal.request;

import io.counterkit.IdempotencyToken;
import io.counterkit.internal.batch.Combiner;
import io.counterkit.internal.batch.GeneratedToken;
import io.counterkit.internal.batch.PendingAdd;
import io.counterkit.internal.batch.PendingRequest;
import io.counterkit.internal.batch.PendingRequests;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Submits adds to the store, directly or in batches, as its {@link io.counterkit.spi.BatchLimits} demand. */
final class AddSubmitter {
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final CounterStore store;
    private final BackendInvoker invoker;
    private final TokenResolver tokens;
    private final PendingRequests pending;
    private final Combiner<PendingAdd, Void> combiner;
    private final boolean direct;

    AddSubmitter(CounterBackend backend, BackendInvoker invoker, TokenResolver tokens) {
        this.store = backend.counters();
        this.invoker = invoker;
        this.tokens = tokens;
        this.pending = invoker.pending();
        this.combiner = Combiner.adds(backend, pending, invoker.listener(), invoker::newCommit);
        this.direct = combiner.isDirect();
    }

    /** Returns the fast path of a counter; null if it has none, or adds are combined or reported to a listener. */
    CounterStore.@Nullable FastPath fastPath(String name) {
        return direct && !invoker.hasListener() ? store.fastPath(name) : null;
    }

    /** Adds on the fast path, or returns false and adds nothing. */
    boolean tryFastPath(CounterStore.@Nullable FastPath fastPath, long delta) {
        if (fastPath == null) {
            return false;
        }
        pending.checkOpen();
        return fastPath.tryAdd(delta);
    }

    /**
     * Submits an add.
     *
     * @param blocks whether the calling thread waits for the reply
     */
    PendingRequest<Void> submit(String name, long delta, @Nullable IdempotencyToken token, boolean blocks) {
        GeneratedToken generated = token == null ? null : GeneratedToken.parse(token);
        AddRequest add = new AddRequest(name, Limits.checkDelta(delta), token);
        return token == null || generated == null ? submit(add, blocks) : repeat(add, token, generated);
    }

    private PendingRequest<Void> submit(AddRequest add, boolean blocks) {
        PendingAdd request = new PendingAdd(add, pending);
        return direct
                ? invoker.sendAlone(request, commit -> store.add(List.of(add), commit))
                : combiner.submit(request, blocks);
    }

    /**
     * Repeats an add with the token of an outcome-unknown exception. Resolves the earlier commit first; only if that was
     * not applied, and never will be, is the add sent again, with the token as a caller's own.
     */
    private PendingRequest<Void> repeat(AddRequest add, IdempotencyToken token, GeneratedToken generated) {
        PendingAdd request = new PendingAdd(add, pending);
        return invoker.change(request, () -> token, () -> {
            if (generated.kind() != GeneratedToken.Kind.ADD
                    || generated.delta() != add.delta()
                    || !generated.name().equals(add.name())) {
                return CompletableFuture.failedFuture(TokenResolver.refusal(request, token));
            }
            return tokens.resolve(generated)
                    .thenCompose(earlier ->
                            earlier.applied() ? DONE : submit(add, false).reply());
        });
    }
}
