package io.counterkit.internal.request;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NumberRange;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.internal.batch.Combiner;
import io.counterkit.internal.batch.GeneratedToken;
import io.counterkit.internal.batch.PendingAppend;
import io.counterkit.internal.batch.PendingRequest;
import io.counterkit.internal.batch.PendingRequests;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Submits appends to the store, directly or in batches, as its {@link io.counterkit.spi.BatchLimits} demand. */
final class AppendSubmitter {
    private final SequenceStore store;
    private final BackendInvoker invoker;
    private final TokenResolver tokens;
    private final PendingRequests pending;
    private final Combiner<PendingAppend, Entry> combiner;
    private final boolean direct;

    AppendSubmitter(CounterBackend backend, BackendInvoker invoker, TokenResolver tokens) {
        this.store = backend.sequences();
        this.invoker = invoker;
        this.tokens = tokens;
        this.pending = invoker.pending();
        this.combiner = Combiner.appends(backend, pending, invoker.listener(), invoker::newCommit);
        this.direct = combiner.isDirect();
    }

    /**
     * Submits an append.
     *
     * @param blocks whether the calling thread waits for the reply
     */
    PendingRequest<Entry> submit(String sequence, AppendRequest append, boolean blocks) {
        IdempotencyToken token = append.token();
        GeneratedToken generated = token == null ? null : GeneratedToken.parse(token);
        return token == null || generated == null
                ? submitOnce(sequence, append, blocks)
                : repeat(sequence, append, token, generated);
    }

    /** Sends directly only if no append to the sequence is in flight, so that numbers follow the order of the calls. */
    private PendingRequest<Entry> submitOnce(String sequence, AppendRequest append, boolean blocks) {
        PendingAppend request = new PendingAppend(sequence, append, pending);
        return direct && !combiner.isBusy(sequence)
                ? invoker.sendAlone(request, commit -> sendAlone(sequence, append, commit))
                : combiner.submit(request, blocks);
    }

    private CompletableFuture<List<Result<Entry>>> sendAlone(String sequence, AppendRequest append, Commit commit) {
        CompletableFuture<List<Result<Entry>>> sent =
                BackendInvoker.begin(() -> store.append(sequence, List.of(append), commit));
        if (!sent.isDone()) {
            combiner.waitFor(sent, sequence);
        }
        return sent;
    }

    /**
     * Repeats an append with the token of an outcome-unknown exception. Resolves the earlier commit first; only if that
     * was not applied, and never will be, is the entry sent again, with the token as a caller's own.
     */
    private PendingRequest<Entry> repeat(
            String sequence, AppendRequest append, IdempotencyToken token, GeneratedToken generated) {
        PendingAppend request = new PendingAppend(sequence, append, pending);
        return invoker.change(request, () -> token, () -> {
            if (generated.kind() != GeneratedToken.Kind.APPEND
                    || !generated.name().equals(sequence)) {
                return CompletableFuture.failedFuture(TokenResolver.refusal(request, token));
            }
            return tokens.resolve(generated)
                    .thenCompose(earlier -> earlier instanceof Resolution.Appended appended
                            ? read(sequence, appended.number())
                                    .handle((entry, failure) -> check(request, append, token, entry, failure))
                            : submitOnce(sequence, append, false).reply());
        });
    }

    private CompletableFuture<Entry> read(String sequence, long number) {
        return BackendInvoker.begin(() -> store.read(sequence, new NumberRange(number, number), invoker.newCall()))
                .thenApply(entries -> entries.get(0));
    }

    /** Returns the entry that was appended earlier, if it is the one to append now. */
    private static Entry check(
            PendingAppend request,
            AppendRequest append,
            IdempotencyToken token,
            @Nullable Entry entry,
            @Nullable Throwable failure) {
        if (entry == null) { // the entry exists, so this must not be reported as not applied
            Throwable cause = Futures.unwrap(Objects.requireNonNull(failure));
            throw new OutcomeUnknownException("the entry could not be read: " + Reasons.of(cause), token, cause);
        }
        if (entry.change() != append.change() || !Objects.equals(entry.subject(), append.subject())) {
            throw TokenResolver.refusal(request, token);
        }
        return entry;
    }
}
