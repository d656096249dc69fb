package io.counterkit.firestore.internal.counter;

import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Transaction;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterOverflowException;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.client.Transactions;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Call;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/** The shards of a counter beyond its new shard count. They stay, and hold zero once a resharding is complete. */
final class SurplusShards {
    /** The most shards that one transaction empties, since it locks each of them until it is committed. */
    private static final int EMPTIED_AT_ONCE = 20;

    private static final String NOTHING_CHANGED = "; nothing was changed";

    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final String name;
    private final int shards;
    private final Call call;
    private final String countField;

    SurplusShards(FirestoreSchema schema, TokenStore tokens, String name, int shards, Call call) {
        this.schema = schema;
        this.tokens = tokens;
        this.name = name;
        this.shards = shards;
        this.call = call;
        countField = schema.layout().countField();
    }

    /**
     * Reads the surplus shards that are not empty. Ignores foreign shards, whose ids are not numbers.
     *
     * @param isStrict whether to fail if a shard holds something other than a whole number, instead of ignoring it, or
     *     if no shard can hold the counts that are moved together
     */
    CompletableFuture<List<DocumentSnapshot>> read(boolean isStrict) {
        return schema.client().read(call, () -> schema.shards(name).get()).thenApply(found -> {
            List<DocumentSnapshot> surplus = new ArrayList<>();
            for (DocumentSnapshot shard : found.getDocuments()) {
                if (!shard.getId().matches("\\d{1,9}") || Integer.parseInt(shard.getId()) < shards) {
                    continue;
                }
                Object count = shard.get(countField);
                if (count instanceof Long value) {
                    if (value != 0) {
                        surplus.add(shard);
                    }
                } else if (isStrict) {
                    throw corrupt(shard, NOTHING_CHANGED);
                }
            }
            if (isStrict) {
                DocumentReads.groups(surplus, EMPTIED_AT_ONCE).forEach(part -> {
                    long moved = 0;
                    for (DocumentSnapshot shard : part) {
                        moved = sum(moved, Objects.requireNonNull(shard.getLong(countField)), NOTHING_CHANGED);
                    }
                });
            }
            return surplus;
        });
    }

    private CorruptDataException corrupt(DocumentSnapshot shard, String consequence) {
        return new CorruptDataException("resharding '" + name + "' to " + shards + ": shard '"
                + shard.getReference().getPath() + "' holds " + shard.get(countField)
                + ", which is not a whole number: correct it, then reshard again" + consequence);
    }

    /** Empties shards, several in each transaction. Returns false if it stopped because a shard is missing. */
    CompletableFuture<Boolean> empty(List<DocumentSnapshot> surplus) {
        CompletableFuture<Boolean> emptied = CompletableFuture.completedFuture(true);
        for (List<DocumentSnapshot> part : DocumentReads.groups(surplus, EMPTIED_AT_ONCE)) {
            emptied = emptied.thenCompose(
                    before -> before ? emptyAtOnce(part) : CompletableFuture.completedFuture(false));
        }
        return emptied;
    }

    /**
     * Moves the counts of shards to one that remains. Reads them in the same transaction, since another process may
     * move the same counts, or add to them. Moves nothing if the shard that remains is missing.
     *
     * @return whether all these shards exist
     */
    private CompletableFuture<Boolean> emptyAtOnce(List<DocumentSnapshot> surplus) {
        IdempotencyToken ofMove = IdempotencyToken.random();
        DocumentReference[] from =
                surplus.stream().map(DocumentSnapshot::getReference).toArray(DocumentReference[]::new);
        DocumentReference to = schema.shard(name, ThreadLocalRandom.current().nextInt(shards));
        return schema.client()
                .commit(
                        call,
                        List.of(name),
                        () -> Transactions.once(
                                schema,
                                call,
                                transaction -> ApiFutures.transform(
                                        transaction.getAll(from),
                                        found -> move(transaction, ofMove, found, to),
                                        MoreExecutors.directExecutor())))
                .thenApply(answer -> answer.problem() != StoreError.MISSING && !Boolean.FALSE.equals(answer.value()));
    }

    private boolean move(
            Transaction transaction, IdempotencyToken ofMove, List<DocumentSnapshot> surplus, DocumentReference to) {
        boolean allExist = true;
        boolean isAnyMoved = false;
        long moved = 0;
        for (DocumentSnapshot shard : surplus) {
            allExist &= shard.exists();
            Object stored = shard.get(countField);
            if (stored instanceof Long count && count != 0) {
                moved = sum(moved, count, "");
                transaction.update(shard.getReference(), countField, FieldValue.increment(-count));
                isAnyMoved = true;
            } else if (stored != null && !(stored instanceof Long)) {
                throw corrupt(shard, "");
            }
        }
        if (isAnyMoved) {
            transaction.update(to, countField, FieldValue.increment(moved));
            tokens.create(transaction, ofMove, TokenDocument.of(TokenDocument.Kind.DONE, name));
        }
        return allExist;
    }

    /** Returns a sum that one shard can hold, and whose opposite it can hold too. */
    private long sum(long moved, long count, String consequence) {
        long sum = Limits.saturatedSum(moved, count);
        if (count == Long.MIN_VALUE || sum == Long.MIN_VALUE || sum == Long.MAX_VALUE) {
            throw new CounterOverflowException("resharding '" + name + "' to " + shards
                    + ": the counts of its surplus shards add up to more than one shard can hold, ±2^63: reset the"
                    + " counter, or give it more shards" + consequence);
        }
        return sum;
    }
}
