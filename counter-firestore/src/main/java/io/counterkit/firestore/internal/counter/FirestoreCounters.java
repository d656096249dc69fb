package io.counterkit.firestore.internal.counter;

import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.NameQuery;
import io.counterkit.firestore.internal.read.CounterReads;
import io.counterkit.firestore.internal.read.CounterWatches;
import io.counterkit.firestore.internal.read.RollupWorker;
import io.counterkit.firestore.internal.read.TopQuery;
import io.counterkit.firestore.internal.token.TokenRetention;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The counters: shards as in the published recipe, each commit of adds with its marker. */
public final class FirestoreCounters implements CounterStore {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final ShardCounts shardCounts;
    private final ShardRateLimiter pace;
    private final CounterReads reads;
    private final RollupWorker rollups;
    private final ActivityTracker activities = new ActivityTracker(System::nanoTime);
    private final CounterWatches watches;

    public FirestoreCounters(
            FirestoreSchema schema, TokenStore tokens, ShardCounts shardCounts, ShardRateLimiter pace) {
        this.schema = schema;
        this.tokens = tokens;
        this.shardCounts = shardCounts;
        this.pace = pace;
        this.reads = new CounterReads(schema);
        this.watches = new CounterWatches(schema, reads);
        this.rollups = new RollupWorker(schema, reads);
    }

    public RollupWorker rollups() {
        return rollups;
    }

    public ActivityTracker activities() {
        return activities;
    }

    @Override
    public BatchLimits limits() {
        return AddCommit.limits(schema.options());
    }

    /** A shard, and a marker if it has a token of its own. */
    @Override
    public int weight(AddRequest request) {
        return request.token() == null ? 1 : 2;
    }

    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        return TokenRetention.bounded(
                "an add",
                schema.options().retention(),
                commit,
                () -> changing(
                        new AddCommit(schema, shardCounts, pace, tokens, activities, requests, commit).send(),
                        () -> requests.stream().map(AddRequest::name).toList()));
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        return reads.read(names, maxStaleness, call);
    }

    @Override
    public Watch watch(String name, Duration cadence, Sink sink) {
        return watches.watch(name, cadence, sink);
    }

    public void close() {
        watches.close();
    }

    @Override
    public CompletableFuture<Void> reset(String name, Commit commit) {
        return TokenRetention.bounded(
                "reset of '" + name + "'",
                schema.options().retention(),
                commit,
                () -> changing(new ResetAndDelete(schema, tokens, name, commit).reset(), () -> List.of(name)));
    }

    @Override
    public CompletableFuture<Void> delete(String name, Commit commit) {
        shardCounts.forget(name);
        return TokenRetention.bounded(
                "delete of '" + name + "'",
                schema.options().retention(),
                commit,
                () -> new ResetAndDelete(schema, tokens, name, commit).delete());
    }

    /** Whatever becomes of a change: if it is reported as not applied or unknown, there is one more sum. */
    private <T> CompletableFuture<T> changing(CompletableFuture<T> change, Supplier<List<String>> names) {
        return schema.options().freshPrefix() == null
                ? change
                : change.whenComplete((result, failure) -> rollups.changed(names.get()));
    }

    @Override
    public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
        return new TopQuery(schema, reads, prefix, limit, call).find();
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return new NameQuery(schema, schema.counters(), prefix, limit, call).page(cursor);
    }
}
