package io.counterkit.firestore;

import io.counterkit.NamePage;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The counters: shards as in the published recipe, each commit of adds with its marker. */
final class FirestoreCounters implements CounterStore {
    private final FirestoreSchema schema;
    private final Tokens tokens;
    private final ShardCounts shardCounts;
    private final ShardPace pace;
    private final CounterReads reads;
    private final CounterWatches watches;

    FirestoreCounters(FirestoreSchema schema, Tokens tokens, ShardCounts shardCounts, ShardPace pace) {
        this.schema = schema;
        this.tokens = tokens;
        this.shardCounts = shardCounts;
        this.pace = pace;
        this.reads = new CounterReads(schema);
        this.watches = new CounterWatches(schema, reads);
    }

    @Override
    public BatchLimits limits() {
        return schema.options().addLimits();
    }

    /** A shard, and a marker if it has a token of its own. */
    @Override
    public int weight(AddRequest request) {
        return request.token() == null ? 1 : 2;
    }

    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        return new AddCommit(schema, shardCounts, pace, tokens, requests, commit).send();
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        return reads.read(names, maxStaleness, call);
    }

    @Override
    public Watch watch(String name, Duration cadence, Sink sink) {
        return watches.watch(name, cadence, sink);
    }

    void close() {
        watches.close();
    }

    @Override
    public CompletableFuture<Void> reset(String name, Commit commit) {
        return new Clearing(schema, tokens, name, commit).reset();
    }

    @Override
    public CompletableFuture<Void> delete(String name, Commit commit) {
        shardCounts.forget(name);
        return new Clearing(schema, tokens, name, commit).delete();
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return new NameQuery(schema.counters(), prefix, limit, call).page(cursor);
    }
}
