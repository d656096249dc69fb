package io.counterkit.firestore.internal.advice;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.QuerySnapshot;
import io.counterkit.firestore.CounterActivity;
import io.counterkit.firestore.CounterDescription;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.counter.CounterDocument;
import io.counterkit.firestore.internal.read.ShardSums;
import io.counterkit.spi.Call;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Describes the stored state of a counter, with advice on its shard count. */
public final class CounterDescriber {
    private CounterDescriber() {}

    /** Reads and describes a counter. */
    public static CompletableFuture<CounterDescription> describe(
            FirestoreSchema schema, String name, CounterActivity activity, Call call) {
        return schema.client()
                .read(call, schema.counter(name)::get)
                .thenCombine(
                        schema.client().read(call, () -> schema.shards(name).get()), (counter, shards) -> {
                            String field = schema.shardCountField(counter);
                            double lately = writesLately(shards);
                            CounterSeal seal = ShardSums.sealOf(shards);
                            return new CounterDescription(
                                    name,
                                    counter.exists(),
                                    field == null ? null : counter.getLong(field),
                                    ShardSums.shards(
                                            shards.getDocuments().stream()
                                                    .filter(shard -> CounterSeal.of(shard) == null)
                                                    .toList(),
                                            schema.layout().countField()),
                                    seal == null ? null : seal.seal(),
                                    lately,
                                    activity,
                                    ShardAdvisor.advise(
                                            CounterDocument.of(schema, counter).shards(),
                                            plannedWritesPerShard(schema.options()),
                                            lately,
                                            activity));
                        });
    }

    /**
     * Estimates the rate of writes to all shards from the ages of their last writes: the number of shards written since
     * their creation, minus one, divided by the sum of the ages. All times are by the store's clock.
     */
    private static double writesLately(QuerySnapshot shards) {
        int written = 0;
        double seconds = 0;
        for (DocumentSnapshot shard : shards.getDocuments()) {
            Timestamp last = Objects.requireNonNull(shard.getUpdateTime());
            written += last.equals(shard.getCreateTime()) ? 0 : 1;
            seconds += secondsBetween(last, shards.getReadTime());
        }
        return written < 2 ? 0 : (written - 1) / Math.max(0.001, seconds) * shards.size();
    }

    private static double secondsBetween(Timestamp from, Timestamp to) {
        return to.getSeconds() - from.getSeconds() + (to.getNanos() - from.getNanos()) / 1e9;
    }

    /** Returns the writes per second that one shard should get, 1 if there is no limit. */
    static double plannedWritesPerShard(FirestoreCounterOptions options) {
        Double limit = options.writesPerShard();
        return limit == null || limit.isInfinite() ? 1 : limit;
    }
}
