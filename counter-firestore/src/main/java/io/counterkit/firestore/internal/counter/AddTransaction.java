package io.counterkit.firestore.internal.counter;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.Transaction;
import com.google.cloud.firestore.UpdateBuilder;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.Transactions;
import io.counterkit.spi.Call;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Adds with {@link WriteStrategy#TRANSACTION}: reads each shard and its counter, and writes the sums, unless a counter
 * is sealed.
 *
 * @param adds the adds to counters, in the order of their names
 */
record AddTransaction(FirestoreSchema schema, Collection<CounterAdd> adds) {
    /**
     * Attempts the transaction once; {@code createTokens} writes its token documents. Returns {@code false}, and writes
     * nothing, if a counter is sealed or cannot be changed for another reason.
     */
    ApiFuture<Boolean> attempt(Call call, Consumer<UpdateBuilder<?>> createTokens) {
        return Transactions.once(schema, call, transaction -> {
            List<DocumentReference> references = new ArrayList<>();
            adds.forEach(add -> {
                references.add(schema.counter(add.name()));
                references.add(add.shard());
            });
            return ApiFutures.transform(
                    transaction.getAll(references.toArray(DocumentReference[]::new)),
                    documents -> {
                        if (isAnyRefused(documents)) {
                            return false;
                        }
                        createTokens.accept(transaction);
                        write(transaction, documents);
                        return true;
                    },
                    MoreExecutors.directExecutor());
        });
    }

    private boolean isAnyRefused(List<DocumentSnapshot> documents) {
        int next = 0;
        for (CounterAdd add : adds) {
            if (CounterDocument.of(schema, documents.get(next)).refusal(add.name()) != null) {
                return true;
            }
            next += 2; // after each counter comes its shard
        }
        return false;
    }

    private void write(Transaction transaction, List<DocumentSnapshot> documents) {
        CounterWrites writes = new CounterWrites(schema);
        int next = 0;
        for (CounterAdd add : adds) {
            DocumentSnapshot counter = documents.get(next++);
            DocumentSnapshot shard = documents.get(next++);
            if (!counter.exists() || !shard.exists()) {
                writes.create(add.name(), CounterDocument.of(schema, counter));
            }
            Map<String, Object> sum = Map.of(schema.layout().countField(), sum(shard, add.delta()));
            writes.put(shard.getReference(), builder -> builder.set(shard.getReference(), sum, SetOptions.merge()));
        }
        writes.writeTo(transaction);
    }

    /** Returns the sum that an increment of the store would write, so that both strategies agree. */
    private Object sum(DocumentSnapshot shard, long delta) {
        Object count = shard.exists() ? shard.get(schema.layout().countField()) : null;
        if (count instanceof Double before) {
            return before + delta;
        }
        return count instanceof Long before ? Limits.saturatedSum(before, delta) : delta;
    }
}
