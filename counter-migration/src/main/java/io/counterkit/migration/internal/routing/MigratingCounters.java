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

/** The counters of a source and a target. */
public final class MigratingCounters implements CounterStore {
    private final StorePair stores;
    private final Router router;
    private final SourceTokens sourceTokens;
    private final CounterReads reads;
    private final JointLimits limits;

    public MigratingCounters(StorePair stores, RoutingParts parts) {
        this.stores = stores;
        this.router = new Router(stores, parts);
        this.sourceTokens = parts.sourceTokens();
        this.reads = new CounterReads(stores, parts);
        this.limits = new JointLimits(source().limits(), target().limits());
    }

    private CounterStore source() {
        return stores.source().counters();
    }

    private CounterStore target() {
        return stores.target().counters();
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
                    "a batch with several counters, '" + name + "' and others: send one counter a batch");
        }
        return router.sendBatch(
                Kind.COUNTER,
                name,
                commit,
                () -> source().add(requests, commit),
                moved -> addAtTarget(requests, moved, commit));
    }

    private CompletableFuture<List<Result<Void>>> addAtTarget(
            List<AddRequest> requests, MoveRecord moved, Commit commit) {
        return sourceTokens.before(
                requests,
                AddRequest::token,
                moved,
                commit,
                MigratingCounters::firstResult,
                () -> stores.send(commit, () -> target().add(requests, commit)));
    }

    private static CompletableFuture<Result<Void>> firstResult(AddRequest request, Resolution resolution) {
        Resolution added = new Resolution.Added(request.name(), request.delta());
        return CompletableFuture.completedFuture(
                resolution.equals(added)
                        ? Result.applied()
                        : Result.failed(SourceTokens.refused(added.toString(), request.token(), resolution)));
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        return reads.read(names, maxStaleness, call);
    }

    @Override
    public CompletableFuture<Void> reset(String name, Commit commit) {
        return router.send(
                Kind.COUNTER,
                name,
                commit,
                () -> source().reset(name, commit),
                moved -> stores.send(commit, () -> target().reset(name, commit)));
    }

    @Override
    public CompletableFuture<Void> delete(String name, Commit commit) {
        return router.send(
                Kind.COUNTER,
                name,
                commit,
                () -> source().delete(name, commit),
                moved -> stores.send(commit, () -> target().delete(name, commit)));
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return new NameListing(stores, Kind.COUNTER).page(prefix, cursor, limit, call);
    }
}
