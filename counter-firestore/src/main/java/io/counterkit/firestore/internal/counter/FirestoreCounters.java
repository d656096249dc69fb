package io.counterkit.firestore.internal.counter;

import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.Watch;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.NameQuery;
import io.counterkit.firestore.internal.client.SharedListeners;
import io.counterkit.firestore.internal.read.CounterReads;
import io.counterkit.firestore.internal.read.CounterWatch;
import io.counterkit.firestore.internal.read.PrefixRollup;
import io.counterkit.firestore.internal.read.RollupWorker;
import io.counterkit.firestore.internal.read.TopQuery;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The counters of a backend: shards as in the published recipe, each commit of adds with its token document. */
public final class FirestoreCounters implements CounterStore {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final CounterCache cache;
    private final CounterLoads loads;
    private final AddSender adds;
    private final CounterReads reads;
    private final RollupWorker rollups;
    private final SharedListeners<CounterWatch.Watcher, CounterWatch> watches;

    public FirestoreCounters(
            FirestoreSchema schema, TokenStore tokens, CounterCache cache, CounterLoads loads, AddSender adds) {
        this.schema = schema;
        this.tokens = tokens;
        this.cache = cache;
        this.loads = loads;
        this.adds = adds;
        this.reads = new CounterReads(schema);
        this.watches = new SharedListeners<>(schema, name -> new CounterWatch(name, schema, reads));
        this.rollups = new RollupWorker(schema, reads);
    }

    public RollupWorker rollups() {
        return rollups;
    }

    /** Renews the old roll-ups under a prefix, and returns how many: see {@link PrefixRollup}. */
    public CompletableFuture<Long> rollUp(String prefix, Supplier<Call> calls) {
        return new PrefixRollup(schema, reads, prefix, calls).run();
    }

    @Override
    public BatchLimits limits() {
        return AddCommit.limits(schema.options());
    }

    /** Returns the weight of what an add writes: its counter, and a token document if it has its own token. */
    @Override
    public int weight(AddRequest request) {
        return cache.weight(request.name()) + (request.token() == null ? 0 : 1);
    }

    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        CommitAdds all = new CommitAdds(requests, commit, loads);
        all.recallCounters(cache);
        return schema.client().startChange("an add", commit, () -> markingDue(adds.send(all), all::names));
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        return reads.read(names, maxStaleness, call);
    }

    @Override
    public Watch watch(String name, Duration cadence, Sink sink) {
        CounterWatch.Watcher watcher = new CounterWatch.Watcher(cadence, sink);
        watches.join(name, watcher);
        return () -> {
            watcher.close();
            // On another thread, since this one may report to a watch, which holds a lock, and leaving takes others
            // first.
            CompletableFuture<?> unused = schema.timers().runAfter(0, () -> watches.leave(name, watcher));
        };
    }

    public void close() {
        watches.close();
    }

    @Override
    public CompletableFuture<Void> reset(String name, Commit commit) {
        return schema.client()
                .startChange(
                        "reset of '" + name + "'",
                        commit,
                        () -> markingDue(
                                new ResetAndDelete(schema, tokens, name, commit).reset(), () -> List.of(name)));
    }

    @Override
    public CompletableFuture<Void> delete(String name, Commit commit) {
        cache.forget(name);
        return schema.client()
                .startChange(
                        "deletion of '" + name + "'",
                        commit,
                        () -> markingDue(
                                new ResetAndDelete(schema, tokens, name, commit).delete(), () -> List.of(name)));
    }

    @Override
    public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
        cache.forget(name);
        return schema.client()
                .startChange(
                        "sealing '" + name + "'",
                        commit,
                        () -> new CounterSealing(schema, tokens, name, forward, commit).seal());
    }

    /** Marks roll-ups as due after a change with any outcome: an unnecessary roll-up costs only a sum. */
    private <T> CompletableFuture<T> markingDue(
            CompletableFuture<T> change, Supplier<? extends Collection<String>> names) {
        return change.whenComplete((result, failure) -> {
            if (!rollups.isIdle()) {
                rollups.markDue(names.get());
            }
        });
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
