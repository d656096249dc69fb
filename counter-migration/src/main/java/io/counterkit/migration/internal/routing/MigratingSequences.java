package io.counterkit.migration.internal.routing;

import io.counterkit.Entry;
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
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The sequences of two stores. */
public final class MigratingSequences implements SequenceStore {
    private final StorePair ends;
    private final NameMover moves;
    private final Routing routing;
    private final EarlierTokens earlier;
    private final Subjects subjects;
    private final MovedEntries entries;
    private final JointLimits limits;

    public MigratingSequences(StorePair ends, RoutingParts parts) {
        this.ends = ends;
        this.moves = parts.moves();
        this.routing = parts.routing();
        this.earlier = parts.earlier();
        this.subjects = parts.subjects();
        this.entries = parts.entries();
        this.limits = new JointLimits(source().limits(), target().limits());
    }

    private SequenceStore source() {
        return ends.source().sequences();
    }

    private SequenceStore target() {
        return ends.target().sequences();
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
        return routing.ofBatch(
                Kind.SEQUENCE,
                sequence,
                commit,
                () -> source().append(sequence, requests, commit),
                moved -> appendAtTarget(sequence, requests, moved, commit));
    }

    private CompletableFuture<List<Result<Entry>>> appendAtTarget(
            String sequence, List<AppendRequest> requests, MoveRecord moved, Commit commit) {
        return earlier.before(
                requests,
                AppendRequest::token,
                moved,
                commit,
                (request, decided) -> first(sequence, request, decided, moved, commit),
                () -> Futures.beforehand(
                                subjects.tell(sequence, requests, moved, commit),
                                "bringing over the subjects of appends to '" + sequence + "'")
                        .thenCompose(told -> ends.ask(commit, () -> target().append(sequence, requests, commit))));
    }

    private CompletableFuture<Result<Entry>> first(
            String sequence, AppendRequest request, Resolution decided, MoveRecord moved, Call call) {
        if (!(decided instanceof Resolution.Appended appended)
                || !appended.sequence().equals(sequence)) {
            return CompletableFuture.completedFuture(Result.failed(EarlierTokens.refused(request, decided)));
        }
        NumberRange number = new NumberRange(appended.number(), appended.number());
        return entries.read(sequence, number, moved, call).thenApply(read -> {
            Entry entry = read.get(0);
            boolean same = entry.change() == request.change() && Objects.equals(entry.subject(), request.subject());
            return same ? Result.of(entry) : Result.failed(EarlierTokens.refused(request, decided));
        });
    }

    @Override
    public CompletableFuture<Tail> tail(String sequence, Call call) {
        return read(
                sequence,
                call,
                () -> source().tail(sequence, call),
                moved -> ends.ask(call, () -> target().tail(sequence, call)));
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
     * An erasure works on sealed sequences too: so the source is looked at afterwards, as after a read. If what has to be
     * done then fails, the entry is erased at one end only, and erasing it again is the way out.
     */
    @Override
    public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
        commit.token();
        Function<MoveRecord, CompletableFuture<Boolean>> atTarget =
                moved -> entries.erase(sequence, number, moved, commit);
        return Futures.beforehand(look(sequence, commit), "erasing entry " + number + " of '" + sequence + "'")
                .thenCompose(moved -> moved.isPresent()
                        ? atTarget.apply(moved.get())
                        : ends.ask(commit, () -> source().erase(sequence, number, commit))
                                .thenCompose(erased -> unlessMoved(sequence, erased, commit, atTarget)
                                        .exceptionallyCompose(
                                                failure -> halfErased(sequence, number, commit, failure))));
    }

    private static CompletableFuture<Boolean> halfErased(
            String sequence, long number, Commit commit, Throwable failure) {
        return CompletableFuture.failedFuture(new OutcomeUnknownException(
                "erasing entry " + number + " of '" + sequence + "': erased at the source, and perhaps there only",
                commit.token(),
                Futures.cause(failure)));
    }

    /** What was done at the source was right if the sequence is seen afterwards not to be sealed yet. */
    private <T> CompletableFuture<T> read(
            String sequence,
            Call call,
            Supplier<CompletableFuture<T>> atSource,
            Function<MoveRecord, CompletableFuture<T>> atTarget) {
        MoveRecord known = moves.known(Kind.SEQUENCE, sequence);
        return known != null
                ? atTarget.apply(known)
                : ends.ask(call, atSource).thenCompose(found -> unlessMoved(sequence, found, call, atTarget));
    }

    private <T> CompletableFuture<T> unlessMoved(
            String sequence, T found, Call call, Function<MoveRecord, CompletableFuture<T>> atTarget) {
        return look(sequence, call)
                .thenCompose(moved ->
                        moved.isPresent() ? atTarget.apply(moved.get()) : CompletableFuture.completedFuture(found));
    }

    private CompletableFuture<Optional<MoveRecord>> look(String sequence, Call call) {
        return ends.canSeal(Kind.SEQUENCE)
                ? moves.look(Kind.SEQUENCE, sequence, call)
                : CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return new NameListing(ends, Kind.SEQUENCE).page(prefix, cursor, limit, call);
    }
}
