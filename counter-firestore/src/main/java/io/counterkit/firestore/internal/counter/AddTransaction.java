package io.counterkit.firestore.internal.counter;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.Transaction;
import com.google.cloud.firestore.UpdateBuilder;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.Transactions;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Commit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A commit of adds by {@link WriteStrategy#TRANSACTION}: reads each shard and its counter, and writes the sums. */
final class AddTransaction {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final Commit commit;
    private final Map<IdempotencyToken, TokenDocument> markers;
    private final AddWrites adds;

    AddTransaction(
            FirestoreSchema schema,
            TokenStore tokens,
            Commit commit,
            Map<IdempotencyToken, TokenDocument> markers,
            AddWrites adds) {
        this.schema = schema;
        this.tokens = tokens;
        this.commit = commit;
        this.markers = markers;
        this.adds = adds;
    }

    ApiFuture<?> request() {
        return Transactions.once(schema, commit, transaction -> {
            List<DocumentReference> references = new ArrayList<>();
            for (String name : adds.deltas().keySet()) {
                references.add(schema.counter(name));
                references.add(adds.shard(name));
            }
            return ApiFutures.transform(
                    transaction.getAll(references.toArray(DocumentReference[]::new)),
                    documents -> write(transaction, documents),
                    MoreExecutors.directExecutor());
        });
    }

    private boolean write(Transaction transaction, List<DocumentSnapshot> documents) {
        markers.forEach((token, marker) -> tokens.create(transaction, token, marker));
        TreeMap<String, Consumer<UpdateBuilder<?>>> writes = new TreeMap<>();
        int next = 0;
        for (Map.Entry<String, Long> add : adds.deltas().entrySet()) {
            DocumentSnapshot counter = documents.get(next++);
            DocumentSnapshot shard = documents.get(next++);
            if (!counter.exists() || !shard.exists()) {
                new CounterCreation(schema, add.getKey(), ShardCounts.of(schema, counter)).addTo(writes);
            }
            Map<String, Object> sum = Map.of(schema.options().countField(), sum(shard, add.getValue()));
            writes.put(
                    shard.getReference().getPath(),
                    builder -> builder.set(shard.getReference(), sum, SetOptions.merge()));
        }
        writes.values().forEach(write -> write.accept(transaction));
        return true;
    }

    /** As an increment of the store's does it, so that both strategies come to the same: saturated, too. */
    private Object sum(DocumentSnapshot shard, long delta) {
        @Nullable Object count = shard.exists() ? shard.get(schema.options().countField()) : null;
        if (count instanceof Double before) {
            return before + delta;
        }
        if (!(count instanceof Long before)) {
            return delta;
        }
        long sum = before + delta;
        boolean overflows = ((before ^ sum) & (delta ^ sum)) < 0;
        return overflows ? (delta > 0 ? Long.MAX_VALUE : Long.MIN_VALUE) : sum;
    }
}
