package io.counterkit.migration.internal.routing;

import io.counterkit.NamePage;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The counters of two stores. */
public final class MigratingCounters implements CounterStore {
    private final StorePair ends;
    private final Routing routing;
    private final EarlierTokens earlier;
    private final CounterReads reads;
    private final JointLimits limits;

    public MigratingCounters(StorePair ends, RoutingParts parts) {
        this.ends = ends;
        this.routing = parts.routing();
        this.earlier = parts.earlier();
        this.reads = new CounterReads(ends, parts.moves());
        this.limits = new JointLimits(source().limits(), target().limits());
    }

    private CounterStore source() {
        return ends.source().counters();
    }

    private CounterStore target() {
        return ends.target().counters();
    }

    @Override
    public BatchLimits limits() {
        return limits.limits();
    }

    @Override
    public int weight(AddRequest request) {
        return limits.weight(source().weight(request), target().weight(request));
    }

    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        String name = requests.get(0).name();
        if (requests.stream().anyMatch(request -> !request.name().equals(name))) {
            throw new IllegalArgumentException(
                    "a batch with other counters than '" + name + "': the limits ask for one a batch");
        }
        return routing.ofBatch(
                Kind.COUNTER,
                name,
                commit,
                () -> source().add(requests, commit),
                moved -> addAtTarget(requests, moved, commit));
    }

    private CompletableFuture<List<Result<Void>>> addAtTarget(
            List<AddRequest> requests, MoveRecord moved, Commit commit) {
        return earlier.before(
                requests,
                AddRequest::token,
                moved,
                commit,
                MigratingCounters::first,
                () -> ends.ask(commit, () -> target().add(requests, commit)));
    }

    private static CompletableFuture<Result<Void>> first(AddRequest request, Resolution decided) {
        boolean same = decided.equals(new Resolution.Added(request.name(), request.delta()));
        return CompletableFuture.completedFuture(
                same ? Result.applied() : Result.failed(EarlierTokens.refused(request, decided)));
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        return reads.read(names, maxStaleness, call);
    }

    @Override
    public CompletableFuture<Void> reset(String name, Commit commit) {
        return routing.ofOne(
                Kind.COUNTER,
                name,
                commit,
                () -> source().reset(name, commit),
                moved -> ends.ask(commit, () -> target().reset(name, commit)));
    }

    @Override
    public CompletableFuture<Void> delete(String name, Commit commit) {
        return routing.ofOne(
                Kind.COUNTER,
                name,
                commit,
                () -> source().delete(name, commit),
                moved -> ends.ask(commit, () -> target().delete(name, commit)));
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return new NameListing(ends, Kind.COUNTER).page(prefix, cursor, limit, call);
    }
}
