package io.counterkit.firestore.internal.advice;

import io.counterkit.CountersListener;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.counter.AddSender;
import io.counterkit.firestore.internal.counter.CommitAdds;
import io.counterkit.firestore.internal.counter.CounterCache;
import io.counterkit.firestore.internal.counter.CounterLoads;
import io.counterkit.firestore.internal.counter.Resharding;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Call;
import io.counterkit.spi.RecentlyUsed;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Sends adds, and adapts the shard counts of their counters to the load of this process. Each process decides
 * separately, and changes a shard count only if the store still has the count that it observed. So if several processes
 * see the same load, one makes the change; the others read the new count and observe it first. A failed change is
 * retried at the next check of the load, which also completes a published lowering. The total is right at each step.
 * Thread-safe.
 */
public final class AdaptiveShards implements AddSender {
    private static final int MOST_REMEMBERED = 10_000;

    /** The most counters changed at once. A channel carries a hundred calls, and adds need most of them. */
    private static final int MOST_AT_ONCE = 4;

    /** The longest deadline of a change, so that it has ended before the next check. */
    private static final Duration LONGEST_DEADLINE = Duration.ofNanos(ShardTrend.RAISE_NANOS);

    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final CounterCache cache;
    private final CounterLoads loads;
    private final AddSender adds;
    private final LongSupplier clock;
    private final RecentlyUsed<String, ShardTrend> trends = new RecentlyUsed<>(MOST_REMEMBERED);
    private final Set<String> changing = new HashSet<>();

    /**
     * Adapts the shard counts of the counters that {@code adds} changes.
     *
     * @param clock measures the load, in nanoseconds
     */
    public AdaptiveShards(
            FirestoreSchema schema,
            TokenStore tokens,
            CounterCache cache,
            CounterLoads loads,
            AddSender adds,
            LongSupplier clock) {
        this.schema = schema;
        this.tokens = tokens;
        this.cache = cache;
        this.loads = loads;
        this.adds = adds;
        this.clock = clock;
    }

    @Override
    public CompletableFuture<List<Result<Void>>> send(CommitAdds commit) {
        CompletableFuture<List<Result<Void>>> sent = adds.send(commit);
        CompletableFuture<?> unused = sent.whenComplete((results, failure) -> adjust(commit.names()));
        return sent;
    }

    /** Checks the load of counters that were added to, if that is due. */
    private void adjust(Collection<String> names) {
        long now = clock.getAsLong();
        for (String name : names) {
            Integer known = cache.shardCount(name);
            if (known != null) {
                ShardTrend trend = trends.computeIfAbsent(name, unseen -> trend(now, known, name));
                if (trend.isDue(now)) {
                    int wanted = trend.observe(now, known, loads.activityOf(name));
                    if (wanted != known || trend.isLoweredInPart(known)) {
                        change(name, known, wanted, trend);
                    }
                }
            }
        }
    }

    private ShardTrend trend(long now, int known, String name) {
        double perShard = CounterDescriber.plannedWritesPerShard(schema.options());
        return new ShardTrend(schema.options(), perShard, now, known, loads.activityOf(name));
    }

    private void change(String name, int known, int wanted, ShardTrend trend) {
        if (!tryBegin(name)) {
            return;
        }
        Call call = call();
        CompletableFuture<Void> change =
                wanted < known ? lower(name, known, wanted, trend, call) : reshard(name, known, wanted, trend, call);
        CompletableFuture<?> unused = change.whenComplete((done, failure) -> end(name));
    }

    /**
     * Returns false if this counter or too many others are being changed. Two changes of one counter would do
     * the same work twice and contend for the same shards.
     */
    private boolean tryBegin(String name) {
        synchronized (changing) {
            return changing.size() < MOST_AT_ONCE && changing.add(name);
        }
    }

    private void end(String name) {
        synchronized (changing) {
            changing.remove(name);
        }
    }

    /**
     * Changes a shard count. If {@code wanted} equals {@code known}, empties the shards that a failed lowering left.
     */
    private CompletableFuture<Void> reshard(String name, int known, int wanted, ShardTrend trend, Call call) {
        return new Resharding(schema, tokens, cache, name, known, wanted, call)
                .run()
                .thenRun(trend::complete);
    }

    private Call call() {
        Duration deadline = schema.options().deadline();
        return new Call(
                deadline.compareTo(LONGEST_DEADLINE) < 0 ? deadline : LONGEST_DEADLINE, CountersListener.disabled());
    }

    /** Lowers a shard count, unless the times of the last writes to the shards show that other processes need it. */
    private CompletableFuture<Void> lower(String name, int known, int wanted, ShardTrend trend, Call call) {
        return CounterDescriber.describe(schema, name, loads.activityOf(name), call)
                .thenCompose(described -> {
                    int enough = Math.max(wanted, trend.lowered(known, described.writesLately()));
                    Long stored = described.shardCount();
                    if (enough == known && (stored == null || stored == known)) {
                        return CompletableFuture.completedFuture(null);
                    }
                    trend.beginLowering(enough);
                    return reshard(name, known, enough, trend, call);
                });
    }
}
