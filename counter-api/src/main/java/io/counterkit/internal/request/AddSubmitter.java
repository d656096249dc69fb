package io.counterkit.internal.request;

import io.counterkit.IdempotencyToken;
import io.counterkit.TokenRefusedException;
import io.counterkit.internal.batch.Combiner;
import io.counterkit.internal.batch.GeneratedToken;
import io.counterkit.internal.batch.PendingAdd;
import io.counterkit.internal.batch.PendingRequest;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The way of every add from its handle to the store: at once and alone, or combined, as the backend wants it. */
final class AddSubmitter {
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final CounterStore store;
    private final BackendInvoker calls;
    private final TokenResolver tokens;
    private final Combiner<PendingAdd, Void> combiner;
    private final boolean direct;

    AddSubmitter(CounterStore store, BackendInvoker calls, TokenResolver tokens) {
        this.store = store;
        this.calls = calls;
        this.tokens = tokens;
        this.combiner = Combiner.adds(store, tokens, calls.outstanding(), calls.listener(), calls);
        this.direct = combiner.isDirect();
    }

    /** The short way to one counter, or null where adds are heard, combined, or have no short way. */
    CounterStore.@Nullable Shortcut shortcut(String name) {
        return direct && calls.startOfEvent() == BackendInvoker.NOBODY_LISTENS ? store.shortcut(name) : null;
    }

    /** Adds by the short way if that can be; false if nothing was done. */
    boolean isAddedBy(CounterStore.@Nullable Shortcut shortcut, long delta) {
        if (shortcut == null) {
            return false;
        }
        calls.checkOpen();
        return shortcut.add(delta);
    }

    void add(String name, long delta, @Nullable IdempotencyToken token) {
        GeneratedToken minted = token == null ? null : GeneratedToken.parse(token);
        if (token != null && minted != null) {
            repeat(name, delta, token, minted).await();
        } else if (direct) {
            alone(name, delta, token).await();
        } else {
            combiner.submitAndWait(new PendingAdd(name, delta, token, calls.outstanding()));
        }
    }

    CompletableFuture<Void> addAsync(String name, long delta, @Nullable IdempotencyToken token) {
        GeneratedToken minted = token == null ? null : GeneratedToken.parse(token);
        if (token != null && minted != null) {
            return repeat(name, delta, token, minted).reply();
        }
        return addOnce(name, delta, token);
    }

    private CompletableFuture<Void> addOnce(String name, long delta, @Nullable IdempotencyToken token) {
        if (direct) {
            return alone(name, delta, token).reply();
        }
        return combiner.submit(new PendingAdd(name, delta, token, calls.outstanding()));
    }

    /** Sends an add by itself. */
    private PendingRequest<Void> alone(String name, long delta, @Nullable IdempotencyToken token) {
        long start = calls.startOfEvent();
        Commit commit = calls.commit();
        Supplier<IdempotencyToken> cover = () -> token != null
                ? token
                : GeneratedToken.add(commit, 0, name, delta).toToken();
        List<AddRequest> request = List.of(new AddRequest(name, delta, token));
        return calls.change(
                describe(name, delta),
                PendingAdd.bytesOf(token),
                cover,
                () -> calls.only(store.add(request, commit), ChangeTarget.counter(name), start));
    }

    /**
     * An add under the token of an outcome-unknown exception. The commit that it came from is decided first; only if it
     * never was and never will be applied is the add sent again, under the token as a caller's own.
     */
    private PendingRequest<Void> repeat(String name, long delta, IdempotencyToken token, GeneratedToken minted) {
        return calls.change(describe(name, delta), () -> token, () -> {
            if (minted.kind() != GeneratedToken.Kind.ADD
                    || minted.delta() != delta
                    || !minted.name().equals(name)) {
                return CompletableFuture.failedFuture(new TokenRefusedException(
                        describe(name, delta) + ": token " + token + " stands for another operation"));
            }
            return tokens.decide(minted).thenCompose(first -> first.applied() ? DONE : addOnce(name, delta, token));
        });
    }

    private static String describe(String name, long delta) {
        return "add " + delta + " to '" + name + "'";
    }
}
