package io.counterkit;

import io.counterkit.combining.AddWaiter;
import io.counterkit.combining.Combiner;
import io.counterkit.combining.MintedToken;
import io.counterkit.combining.Waiter;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Origin;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The way of every add from its handle to the store: at once and alone, or combined, as the backend wants it. */
final class Adds {
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final CounterStore store;
    private final StoreCalls calls;
    private final Tokens tokens;
    private final Combiner<AddWaiter, Void> combiner;
    private final boolean direct;

    Adds(CounterStore store, StoreCalls calls, Tokens tokens) {
        this.store = store;
        this.calls = calls;
        this.tokens = tokens;
        this.combiner = Combiner.adds(store, tokens, calls.outstanding(), calls.listener(), calls);
        this.direct = combiner.isDirect();
    }

    /** The short way to one counter, or null where adds are heard, combined, or have no short way. */
    CounterStore.@Nullable Shortcut shortcut(String name) {
        return direct && calls.startOfEvent() == StoreCalls.NOBODY_LISTENS ? store.shortcut(name) : null;
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
        MintedToken minted = token == null ? null : MintedToken.parse(token);
        if (token != null && minted != null) {
            repeat(name, delta, token, minted).await();
        } else if (direct) {
            alone(name, delta, token).await();
        } else {
            combiner.submitAndWait(new AddWaiter(name, delta, token, calls.outstanding()));
        }
    }

    CompletableFuture<Void> addAsync(String name, long delta, @Nullable IdempotencyToken token) {
        MintedToken minted = token == null ? null : MintedToken.parse(token);
        if (token != null && minted != null) {
            return repeat(name, delta, token, minted).reply();
        }
        return addOnce(name, delta, token);
    }

    private CompletableFuture<Void> addOnce(String name, long delta, @Nullable IdempotencyToken token) {
        if (direct) {
            return alone(name, delta, token).reply();
        }
        return combiner.submit(new AddWaiter(name, delta, token, calls.outstanding()));
    }

    /** Sends an add by itself. */
    private Waiter<Void> alone(String name, long delta, @Nullable IdempotencyToken token) {
        long start = calls.startOfEvent();
        Commit commit = calls.commit();
        Supplier<IdempotencyToken> cover = () ->
                token != null ? token : MintedToken.add(commit, 0, name, delta).toToken();
        List<AddRequest> request = List.of(new AddRequest(name, delta, token));
        return calls.change(
                describe(name, delta),
                AddWaiter.bytesOf(token),
                cover,
                () -> calls.only(store.add(request, commit), Origin.counter(name), start));
    }

    /**
     * An add under the token of an outcome-unknown exception. The commit that it came from is decided first; only if it
     * never was and never will be applied is the add sent again, under the token as a caller's own.
     */
    private Waiter<Void> repeat(String name, long delta, IdempotencyToken token, MintedToken minted) {
        return calls.change(describe(name, delta), () -> token, () -> {
            if (minted.kind() != MintedToken.Kind.ADD
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
