package io.counterkit;

import io.counterkit.combining.AppendWaiter;
import io.counterkit.combining.Combiner;
import io.counterkit.combining.Failures;
import io.counterkit.combining.MintedToken;
import io.counterkit.combining.Waiter;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Origin;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.SequenceStore;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The way of every append from its handle to the store: at once and alone, or combined, as the backend wants it. */
final class Appends {
    private final SequenceStore store;
    private final StoreCalls calls;
    private final Tokens tokens;
    private final Combiner<AppendWaiter, Entry> combiner;
    private final boolean direct;

    Appends(SequenceStore store, StoreCalls calls, Tokens tokens) {
        this.store = store;
        this.calls = calls;
        this.tokens = tokens;
        this.combiner = Combiner.appends(store, tokens, calls.outstanding(), calls.listener(), calls);
        this.direct = combiner.isDirect();
    }

    Entry append(Draft draft) {
        MintedToken minted = draft.token() == null ? null : MintedToken.parse(draft.token());
        if (minted != null) {
            return repeat(draft, minted).await();
        }
        return goesAlone(draft) ? alone(draft).await() : combiner.submitAndWait(waiter(draft));
    }

    CompletableFuture<Entry> appendAsync(Draft draft) {
        MintedToken minted = draft.token() == null ? null : MintedToken.parse(draft.token());
        return minted != null ? repeat(draft, minted).reply() : appendOnce(draft);
    }

    private CompletableFuture<Entry> appendOnce(Draft draft) {
        return goesAlone(draft) ? alone(draft).reply() : combiner.submit(waiter(draft));
    }

    /** A store that takes requests one by one gives them numbers in that order only if none is sent after another. */
    private boolean goesAlone(Draft draft) {
        return direct && !combiner.isBusy(draft.sequence());
    }

    private AppendWaiter waiter(Draft draft) {
        return new AppendWaiter(
                draft.sequence(), draft.change(), draft.subject(), draft.fields(), draft.token(), calls.outstanding());
    }

    /** Sends an append by itself. */
    private Waiter<Entry> alone(Draft draft) {
        long start = calls.startOfEvent();
        Commit commit = calls.commit();
        Supplier<IdempotencyToken> cover = () -> draft.token() != null
                ? draft.token()
                : MintedToken.append(commit, 0, draft.sequence()).toToken();
        List<AppendRequest> request =
                List.of(new AppendRequest(draft.change(), draft.subject(), draft.fields(), draft.token()));
        return calls.change(
                draft.toString(), AppendWaiter.bytesOf(draft.subject(), draft.fields(), draft.token()), cover, () -> {
                    CompletableFuture<Entry> sent = calls.only(
                            store.append(draft.sequence(), request, commit), Origin.sequence(draft.sequence()), start);
                    if (!sent.isDone()) {
                        combiner.waitFor(sent, draft.sequence());
                    }
                    return sent;
                });
    }

    /**
     * An append under the token of an outcome-unknown exception. The commit that it came from is decided first; only if
     * it never was and never will be applied is the entry sent again, under the token as a caller's own.
     */
    private Waiter<Entry> repeat(Draft draft, MintedToken minted) {
        IdempotencyToken token = Objects.requireNonNull(draft.token());
        return calls.change(draft.toString(), () -> token, () -> {
            if (minted.kind() != MintedToken.Kind.APPEND || !minted.name().equals(draft.sequence())) {
                return refused(draft);
            }
            return tokens.decide(minted)
                    .thenCompose(first -> first instanceof Resolution.Appended appended
                            ? existing(draft, appended.number()).exceptionallyCompose(failure -> unread(token, failure))
                            : appendOnce(draft));
        });
    }

    private CompletableFuture<Entry> existing(Draft draft, long number) {
        return store.read(draft.sequence(), new NumberRange(number, number), calls.call())
                .thenCompose(entries -> {
                    Entry entry = entries.get(0);
                    boolean same = entry.change() == draft.change() && Objects.equals(entry.subject(), draft.subject());
                    return same ? CompletableFuture.completedFuture(entry) : refused(draft);
                });
    }

    /** The entry is there, but could not be read: that must not look as if nothing was appended. */
    private static CompletableFuture<Entry> unread(IdempotencyToken token, Throwable failure) {
        Throwable cause = Failures.unwrap(failure);
        return CompletableFuture.failedFuture(
                cause instanceof TokenRefusedException
                        ? cause
                        : new OutcomeUnknownException(
                                "the entry could not be read: " + Reasons.of(cause), token, cause));
    }

    private static CompletableFuture<Entry> refused(Draft draft) {
        return CompletableFuture.failedFuture(
                new TokenRefusedException(draft + ": token " + draft.token() + " stands for another operation"));
    }
}
