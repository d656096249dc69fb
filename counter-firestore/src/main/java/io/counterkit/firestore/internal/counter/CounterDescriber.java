package io.counterkit.firestore.internal.counter;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.QuerySnapshot;
import io.counterkit.firestore.CounterActivity;
import io.counterkit.firestore.CounterDescription;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.ShardAdvice;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.read.ShardSums;
import io.counterkit.spi.Call;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Describes a counter as it is stored, with advice on its shard count. */
public final class CounterDescriber {
    private CounterDescriber() {}

    /** Reads the counter and its shards. */
    public static CompletableFuture<CounterDescription> read(
            FirestoreSchema schema, String name, CounterActivity activity, Call call) {
        return schema.requests()
                .of(call, schema.counter(name)::get)
                .thenCombine(schema.requests().of(call, schema.shards(name)::get), (counter, shards) -> {
                    String field = counter.exists() ? schema.shardCountField(counter) : null;
                    double lately = writesLately(shards);
                    return new CounterDescription(
                            name,
                            counter.exists(),
                            field == null ? null : counter.getLong(field),
                            ShardSums.shards(
                                    shards.getDocuments(), schema.options().countField()),
                            lately,
                            activity,
                            ShardAdvice.of(
                                    ShardCounts.of(schema, counter).shards(),
                                    writesPerShardToPlanWith(schema.options()),
                                    lately,
                                    activity));
                });
    }

    /**
     * Where writes come at random, the time since the last one tells their rate: as many as the shards that were written
     * since they were made, less one, in the sum of the ages of all. All by the store's clock.
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

    /** Returns how many writes a second one shard should get, for advice: also where there is no limit. */
    private static double writesPerShardToPlanWith(FirestoreCounterOptions options) {
        Double limit = options.writesPerShard();
        return limit == null || limit.isInfinite() ? 1 : limit;
    }
}
