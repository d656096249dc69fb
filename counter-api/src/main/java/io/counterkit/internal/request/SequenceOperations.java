package io.counterkit.internal.request;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.internal.batch.Combiner;
import io.counterkit.internal.batch.GeneratedToken;
import io.counterkit.internal.batch.PendingAppend;
import io.counterkit.internal.batch.PendingRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The operations on sequences. Checks their arguments and sends them to the backend. Combines appends into batches
 * unless the backend wants each alone.
 */
final class SequenceOperations {
    private final SequenceStore store;
    private final Set<Capability> capabilities;
    private final BackendInvoker invoker;
    private final TokenResolver tokens;
    private final Combiner<PendingAppend, Entry> combiner;

    SequenceOperations(
            CounterBackend backend, Set<Capability> capabilities, BackendInvoker invoker, TokenResolver tokens) {
        this.store = Objects.requireNonNull(backend.sequences(), "the backend returned null for sequences()");
        this.capabilities = capabilities;
        this.invoker = invoker;
        this.tokens = tokens;
        this.combiner = Combiner.appends(backend, invoker.pending(), invoker::newCommit);
    }

    /**
     * Appends to a sequence.
     *
     * @param blocks whether the calling thread waits for the reply
     */
    PendingRequest<Entry> append(String sequence, AppendRequest append, boolean blocks) {
        GeneratedToken earlier = GeneratedToken.parse(append.token());
        return earlier == null ? submit(sequence, append, blocks) : repeat(sequence, append, earlier);
    }

    /** Sends directly only if no append to the sequence is in flight, so that numbers follow the order of the calls. */
    private PendingRequest<Entry> submit(String sequence, AppendRequest append, boolean blocks) {
        PendingAppend request = new PendingAppend(sequence, append, invoker.pending());
        return combiner.isDirect() && !combiner.isBusy(sequence)
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
     * Repeats an append with the token of an outcome-unknown exception. Resolves the earlier commit first. Sends the
     * entry again, with the token as a caller's own, only if that commit was not applied and never will be.
     */
    private PendingRequest<Entry> repeat(String sequence, AppendRequest append, GeneratedToken earlier) {
        IdempotencyToken token = Objects.requireNonNull(append.token());
        PendingAppend request = new PendingAppend(sequence, append, invoker.pending());
        return invoker.change(request, () -> token, () -> {
            if (earlier.kind() != GeneratedToken.Kind.APPEND || !earlier.name().equals(sequence)) {
                return CompletableFuture.failedFuture(TokenResolver.refusal(request, token));
            }
            return tokens.resolve(earlier).thenCompose(resolution -> {
                if (resolution instanceof Resolution.Appended appended) {
                    return BackendInvoker.begin(() ->
                                    PendingAppend.readEntry(store, sequence, appended.number(), invoker.newCall()))
                            .handle((entry, failure) -> check(request, token, entry, failure));
                }
                request.freeRoom();
                return submit(sequence, append, false).reply();
            });
        });
    }

    /** Returns the entry that was appended earlier, if its change and subject are those of the request. */
    private static Entry check(
            PendingAppend request, IdempotencyToken token, @Nullable Entry entry, @Nullable Throwable failure) {
        if (entry == null) { // the entry exists, so this must not be reported as not applied
            Throwable cause = Futures.unwrap(Objects.requireNonNull(failure));
            throw new OutcomeUnknownException("the entry could not be read: " + Reasons.of(cause), token, cause);
        }
        if (!request.request().matches(entry)) {
            throw TokenResolver.refusal(request, token);
        }
        return entry;
    }

    PendingRequest<Tail> tail(String sequence) {
        return invoker.read("reading the tail of '" + sequence + "'", call -> store.tail(sequence, call));
    }

    PendingRequest<List<Entry>> read(String sequence, long from, long to) {
        NumberRange range = new NumberRange(from, to);
        if (range.size() > Limits.MAX_PAGE) {
            throw new IllegalArgumentException("entries " + from + " to " + to + " are " + range.size()
                    + " numbers: read at most " + Limits.MAX_PAGE + " at once");
        }
        return invoker.read(
                "reading '" + sequence + "' " + from + " to " + to, call -> store.read(sequence, range, call));
    }

    PendingRequest<Boolean> erase(String sequence, long number) {
        if (number < 1) {
            throw new IllegalArgumentException("number " + number + ": numbers start at 1");
        }
        return invoker.change(
                "erasing entry " + number + " of '" + sequence + "'",
                ChangeTarget.sequence(sequence),
                commit -> store.erase(sequence, number, commit).thenApply(BackendInvoker::answer));
    }

    /** Throws an exception if there was nothing to erase. */
    static void checkErased(String sequence, long number, boolean erased) {
        if (!erased) {
            throw new IllegalArgumentException(
                    "'" + sequence + "' has no entry " + number + ": numbers go from 1 to its last one");
        }
    }

    PendingRequest<Seal> seal(String sequence, String forward) {
        Arguments.checkForward(forward);
        Arguments.require(Capability.SEAL_SEQUENCES, capabilities);
        return invoker.change(
                "sealing '" + sequence + "'",
                ChangeTarget.sequence(sequence),
                commit -> store.seal(sequence, forward, commit).thenApply(BackendInvoker::answer));
    }

    PendingRequest<NamePage> names(String prefix, @Nullable String cursor, int limit) {
        Arguments.checkPage(prefix, limit);
        return invoker.list("listing sequences '" + prefix + "'", call -> store.names(prefix, cursor, limit, call));
    }
}
