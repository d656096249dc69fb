package io.counterkit.migration.internal.routing;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.Tail;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The sequences of a source and a target. */
public final class MigratingSequences implements SequenceStore {
    private final StorePair stores;
    private final NameMover mover;
    private final NameLocator locator;
    private final Router router;
    private final SourceTokens sourceTokens;
    private final SubjectImporter subjects;
    private final MovedEntries entries;
    private final JointLimits limits;

    public MigratingSequences(StorePair stores, RoutingParts parts) {
        this.stores = stores;
        this.mover = parts.mover();
        this.locator = parts.locator();
        this.router = new Router(stores, parts);
        this.sourceTokens = parts.sourceTokens();
        this.subjects = parts.subjects();
        this.entries = parts.entries();
        this.limits = new JointLimits(source().limits(), target().limits());
    }

    private SequenceStore source() {
        return stores.source().sequences();
    }

    private SequenceStore target() {
        return stores.target().sequences();
    }

    @Override
    public BatchLimits limits() {
        return limits.limits();
    }

    @Override
    public int weight(AppendRequest request) {
        return limits.weight(source().weight(request), target().weight(request));
    }

    @Override
    public CompletableFuture<List<Result<Entry>>> append(String sequence, List<AppendRequest> requests, Commit commit) {
        return router.sendBatch(
                Kind.SEQUENCE,
                sequence,
                commit,
                () -> source().append(sequence, requests, commit)
                        .thenCompose(results -> withCopies(sequence, requests, results, commit)),
                moved -> appendAtTarget(sequence, requests, moved, commit));
    }

    /**
     * Replaces erased entries, which the source returns for known tokens, with their copies if the sequence has moved:
     * an erasure takes effect at the target, after it has erased the original.
     */
    private CompletableFuture<List<Result<Entry>>> withCopies(
            String sequence, List<AppendRequest> requests, List<Result<Entry>> results, Commit commit) {
        List<CompletableFuture<Result<Entry>>> current = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            Entry original = results.get(i).value();
            IdempotencyToken own = requests.get(i).token();
            current.add(
                    original == null || !original.erased()
                            ? CompletableFuture.completedFuture(results.get(i))
                            : withCopy(sequence, original, own == null ? commit.token() : own, commit));
        }
        return Futures.all(current);
    }

    /** Returns an unknown outcome if the copy cannot be read, since this call may have appended the entry itself. */
    private CompletableFuture<Result<Entry>> withCopy(
            String sequence, Entry original, IdempotencyToken token, Call call) {
        return unlessMoved(sequence, original, call, moved -> readOne(sequence, original.number(), moved, call))
                .thenApply(Result::of)
                .exceptionally(failure -> Result.failed(new OutcomeUnknownException(
                        "entry " + original.number() + " of '" + sequence
                                + "' was appended with this token, but could not be read: " + Reasons.of(failure),
                        token,
                        failure)));
    }

    private CompletableFuture<List<Result<Entry>>> appendAtTarget(
            String sequence, List<AppendRequest> requests, MoveRecord moved, Commit commit) {
        return sourceTokens.before(
                requests,
                AppendRequest::token,
                moved,
                commit,
                (request, resolution) -> firstResult(sequence, request, resolution, moved, commit),
                () -> NotApplied.ifFailed(
                                subjects.importAll(sequence, requests, moved, commit),
                                "importing the subjects of appends to '" + sequence + "'")
                        .thenCompose(
                                imported -> stores.send(commit, () -> target().append(sequence, requests, commit))));
    }

    private CompletableFuture<Result<Entry>> firstResult(
            String sequence, AppendRequest request, Resolution resolution, MoveRecord moved, Call call) {
        if (!(resolution instanceof Resolution.Appended appended)
                || !appended.sequence().equals(sequence)) {
            return CompletableFuture.completedFuture(refused(sequence, request, resolution));
        }
        return readOne(sequence, appended.number(), moved, call)
                .thenApply(entry -> request.matches(entry) ? Result.of(entry) : refused(sequence, request, resolution));
    }

    private static Result<Entry> refused(String sequence, AppendRequest request, Resolution resolution) {
        return Result.failed(SourceTokens.refused("append to '" + sequence + "'", request.token(), resolution));
    }

    private CompletableFuture<Entry> readOne(String sequence, long number, MoveRecord moved, Call call) {
        return entries.read(sequence, new NumberRange(number, number), moved, call)
                .thenApply(found -> found.get(0));
    }

    @Override
    public CompletableFuture<Tail> tail(String sequence, Call call) {
        return read(
                sequence,
                call,
                () -> source().tail(sequence, call),
                moved -> stores.send(call, () -> target().tail(sequence, call)));
    }

    @Override
    public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
        return read(
                sequence,
                call,
                () -> source().read(sequence, range, call),
                moved -> entries.read(sequence, range, moved, call));
    }

    /**
     * Erases at the source, which a seal does not prevent, and then locates the sequence, as after a read. If a step
     * fails after the erasure at the source, the outcome is unknown and the caller erases again.
     */
    @Override
    public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
        commit.token(); // made before a caller can leave: see Commit.isTokenMade
        Function<MoveRecord, CompletableFuture<Boolean>> atTarget =
                moved -> entries.erase(sequence, number, moved, commit);
        return NotApplied.ifFailed(locate(sequence, commit), "erasing entry " + number + " of '" + sequence + "'")
                .thenCompose(moved -> moved.isPresent()
                        ? atTarget.apply(moved.get())
                        : stores.send(commit, () -> source().erase(sequence, number, commit))
                                .thenCompose(erased -> unlessMoved(sequence, erased, commit, atTarget)
                                        .exceptionallyCompose(
                                                failure -> halfErased(sequence, number, commit, failure))));
    }

    private static CompletableFuture<Boolean> halfErased(
            String sequence, long number, Commit commit, Throwable failure) {
        return CompletableFuture.failedFuture(new OutcomeUnknownException(
                "erasing entry " + number + " of '" + sequence
                        + "': erased at the source, but perhaps not at the target",
                commit.token(),
                Futures.unwrap(failure)));
    }

    /**
     * Reads the source unless the sequence is known to have moved. The result is valid if it is not sealed afterwards.
     */
    private <T> CompletableFuture<T> read(
            String sequence,
            Call call,
            Supplier<CompletableFuture<T>> atSource,
            Function<MoveRecord, CompletableFuture<T>> atTarget) {
        MoveRecord known = mover.known(Kind.SEQUENCE, sequence);
        return known != null
                ? atTarget.apply(known)
                : stores.send(call, atSource).thenCompose(found -> unlessMoved(sequence, found, call, atTarget));
    }

    private <T> CompletableFuture<T> unlessMoved(
            String sequence, T found, Call call, Function<MoveRecord, CompletableFuture<T>> atTarget) {
        return locate(sequence, call)
                .thenCompose(moved ->
                        moved.isPresent() ? atTarget.apply(moved.get()) : CompletableFuture.completedFuture(found));
    }

    private CompletableFuture<Optional<MoveRecord>> locate(String sequence, Call call) {
        return stores.canSeal(Kind.SEQUENCE)
                ? locator.locate(Kind.SEQUENCE, sequence, call)
                : CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return new NameListing(stores, Kind.SEQUENCE).page(prefix, cursor, limit, call);
    }
}
