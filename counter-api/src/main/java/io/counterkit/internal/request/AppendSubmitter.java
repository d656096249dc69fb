package io.counterkit.internal.request;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NumberRange;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.internal.batch.Combiner;
import io.counterkit.internal.batch.Failures;
import io.counterkit.internal.batch.GeneratedToken;
import io.counterkit.internal.batch.PendingAppend;
import io.counterkit.internal.batch.PendingRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.SequenceStore;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The way of every append from its handle to the store: at once and alone, or combined, as the backend wants it. */
final class AppendSubmitter {
    private final SequenceStore store;
    private final BackendInvoker calls;
    private final TokenResolver tokens;
    private final Combiner<PendingAppend, Entry> combiner;
    private final boolean direct;

    AppendSubmitter(SequenceStore store, BackendInvoker calls, TokenResolver tokens) {
        this.store = store;
        this.calls = calls;
        this.tokens = tokens;
        this.combiner = Combiner.appends(store, tokens, calls.outstanding(), calls.listener(), calls);
        this.direct = combiner.isDirect();
    }

    Entry append(EntryDraft draft) {
        GeneratedToken minted = draft.token() == null ? null : GeneratedToken.parse(draft.token());
        if (minted != null) {
            return repeat(draft, minted).await();
        }
        return goesAlone(draft) ? alone(draft).await() : combiner.submitAndWait(waiter(draft));
    }

    CompletableFuture<Entry> appendAsync(EntryDraft draft) {
        GeneratedToken minted = draft.token() == null ? null : GeneratedToken.parse(draft.token());
        return minted != null ? repeat(draft, minted).reply() : appendOnce(draft);
    }

    private CompletableFuture<Entry> appendOnce(EntryDraft draft) {
        return goesAlone(draft) ? alone(draft).reply() : combiner.submit(waiter(draft));
    }

    /** A store that takes requests one by one gives them numbers in that order only if none is sent after another. */
    private boolean goesAlone(EntryDraft draft) {
        return direct && !combiner.isBusy(draft.sequence());
    }

    private PendingAppend waiter(EntryDraft draft) {
        return new PendingAppend(
                draft.sequence(), draft.change(), draft.subject(), draft.fields(), draft.token(), calls.outstanding());
    }

    /** Sends an append by itself. */
    private PendingRequest<Entry> alone(EntryDraft draft) {
        long start = calls.startOfEvent();
        Commit commit = calls.commit();
        Supplier<IdempotencyToken> cover = () -> draft.token() != null
                ? draft.token()
                : GeneratedToken.append(commit, 0, draft.sequence()).toToken();
        List<AppendRequest> request =
                List.of(new AppendRequest(draft.change(), draft.subject(), draft.fields(), draft.token()));
        return calls.change(
                draft.toString(), PendingAppend.bytesOf(draft.subject(), draft.fields(), draft.token()), cover, () -> {
                    CompletableFuture<Entry> sent = calls.only(
                            store.append(draft.sequence(), request, commit),
                            ChangeTarget.sequence(draft.sequence()),
                            start);
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
    private PendingRequest<Entry> repeat(EntryDraft draft, GeneratedToken minted) {
        IdempotencyToken token = Objects.requireNonNull(draft.token());
        return calls.change(draft.toString(), () -> token, () -> {
            if (minted.kind() != GeneratedToken.Kind.APPEND || !minted.name().equals(draft.sequence())) {
                return refused(draft);
            }
            return tokens.decide(minted)
                    .thenCompose(first -> first instanceof Resolution.Appended appended
                            ? existing(draft, appended.number()).exceptionallyCompose(failure -> unread(token, failure))
                            : appendOnce(draft));
        });
    }

    private CompletableFuture<Entry> existing(EntryDraft draft, long number) {
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

    private static CompletableFuture<Entry> refused(EntryDraft draft) {
        return CompletableFuture.failedFuture(
                new TokenRefusedException(draft + ": token " + draft.token() + " stands for another operation"));
    }
}
