package io.counterkit.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.Transaction;
import com.google.cloud.firestore.UpdateBuilder;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Call;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Gives a counter its shard count, unless it has one. Needs no marker: done twice it comes to the same. */
final class Definition {
    private final FirestoreSchema schema;
    private final String name;
    private final int shards;
    private final Call call;

    Definition(FirestoreSchema schema, String name, int shards, Call call) {
        this.schema = schema;
        this.name = name;
        this.shards = shards;
        this.call = call;
    }

    CompletableFuture<Void> define() {
        String what = "creating '" + name + "' with " + shards + " shards";
        return Sender.send(call, List.of(name), () -> Transactions.once(schema.firestore(), call, this::writeIn))
                .exceptionally(failure -> {
                    throw FirestoreErrors.notApplied(what, failure);
                })
                .thenAccept(answer -> {
                    Long present = answer.value();
                    if (present == null || present != shards) {
                        throw new NotAppliedException(what + ": it has " + present
                                + " already, and the first definition wins; nothing was changed");
                    }
                });
    }

    /** Returns the shard count that the counter has then. */
    private ApiFuture<Long> writeIn(Transaction transaction) {
        return ApiFutures.transform(
                transaction.get(schema.counter(name)),
                counter -> {
                    String field = counter.exists() ? schema.shardCountField(counter) : null;
                    Long present = field == null ? null : counter.getLong(field);
                    if (present != null && present != shards) {
                        return present;
                    }
                    if (present == null) {
                        transaction.set(
                                counter.getReference(),
                                Map.of(schema.options().shardCountField(), (long) shards),
                                SetOptions.merge());
                    }
                    SortedMap<String, Consumer<UpdateBuilder<?>>> seeds = new TreeMap<>();
                    new CounterCreation(schema, name, new ShardCounts.ShardCount(shards, true, field)).seed(seeds);
                    seeds.values().forEach(seed -> seed.accept(transaction));
                    return (long) shards;
                },
                MoreExecutors.directExecutor());
    }
}
