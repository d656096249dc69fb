package io.counterkit.firestore.internal.counter;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.QuerySnapshot;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.Transaction;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.CorruptDataException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.Transactions;
import io.counterkit.firestore.internal.read.ShardSums;
import io.counterkit.firestore.internal.stamp.KeptTokens;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Commit;
import java.math.BigInteger;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Seals a counter in one transaction that reads its document and all shards, so that each add is applied before it or
 * fails. It deletes the shards, which adds update, and writes the {@link CounterSeal} into the counter's document.
 * Every other change of a counter creates or reads that document, or updates it only if it has not changed.
 */
final class CounterSealing {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final String name;
    private final String forward;
    private final Commit commit;
    private final KeptTokens kept;

    CounterSealing(FirestoreSchema schema, TokenStore tokens, String name, String forward, Commit commit) {
        this.schema = schema;
        this.tokens = tokens;
        this.name = name;
        this.forward = forward;
        this.commit = commit;
        this.kept = new KeptTokens(tokens);
    }

    CompletableFuture<Seal> seal() {
        return attempt(1);
    }

    private CompletableFuture<Seal> attempt(int attempts) {
        return schema.client()
                .commit(commit, List.of(name), () -> Transactions.once(schema, commit, this::write), attempts)
                .thenCompose(answer -> {
                    if (answer.isApplied()) {
                        Seal seal = Objects.requireNonNull(answer.value()).seal();
                        return seal.forward().equals(forward)
                                ? CompletableFuture.completedFuture(seal)
                                : CompletableFuture.failedFuture(new SealedException(name, seal));
                    }
                    return tokens.read(List.of(commit.token()), commit).thenCompose(found -> {
                        found.checkNotVoid(commit.token(), "sealing '" + name + "'");
                        // The next attempt finds the seal of an earlier one, or the token's second document.
                        return kept.findMore(commit)
                                .thenCompose(looked ->
                                        schema.timers().afterPause(commit, attempts, () -> attempt(attempts + 1)));
                    });
                });
    }

    private ApiFuture<CounterSeal> write(Transaction transaction) {
        return ApiFutures.transformAsync(
                schema.clock().timed(() -> transaction.get(schema.counter(name))),
                counter -> ApiFutures.transform(
                        transaction.get(schema.shards(name)),
                        shards -> write(transaction, counter, shards),
                        MoreExecutors.directExecutor()),
                MoreExecutors.directExecutor());
    }

    /** Returns the seal that the counter has after the transaction. */
    private CounterSeal write(Transaction transaction, DocumentSnapshot counter, QuerySnapshot shards) {
        CounterSeal sealed = CounterSeal.of(counter);
        if (sealed != null) {
            return sealed;
        }
        CounterSeal ofShards = ShardSums.sealOf(shards);
        if (ofShards != null) { // other software has replaced the counter's document
            writeSeal(transaction, ofShards);
            return ofShards;
        }
        BigInteger total = total(shards);
        CounterSeal seal = new CounterSeal(forward, total, counter.exists() || !shards.isEmpty(), Instant.EPOCH);
        tokens.create(transaction, commit.token(), TokenDocument.of(TokenDocument.Kind.DONE, name));
        kept.create(transaction, shards);
        writeSeal(transaction, seal);
        DocumentReference ofSeal = schema.sealedShard(name);
        shards.forEach(shard -> {
            if (!shard.getReference().equals(ofSeal)) {
                transaction.delete(shard.getReference());
            }
        });
        transaction.set(ofSeal, Map.of(schema.layout().countField(), Double.NaN, CounterSeal.FIELD, fields(seal)));
        return seal;
    }

    /** Writes the seal into the counter's document, and a last roll-up for its listeners. */
    private void writeSeal(Transaction transaction, CounterSeal seal) {
        Map<String, Object> counter = new HashMap<>(Map.of(CounterSeal.FIELD, fields(seal)));
        if (seal.isPresent() && seal.isInRange()) {
            counter.put(schema.layout().totalField(), seal.total().longValueExact());
            counter.put(schema.layout().totalTimeField(), FieldValue.serverTimestamp());
        }
        transaction.set(schema.counter(name), counter, SetOptions.merge());
    }

    private static Map<String, Object> fields(CounterSeal seal) {
        return CounterSeal.fields(seal.forward(), seal.total(), seal.isPresent());
    }

    /** Returns the exact total, even if it is out of range. */
    private BigInteger total(QuerySnapshot shards) {
        BigInteger total = BigInteger.ZERO;
        for (DocumentSnapshot shard : shards) {
            Object count = shard.get(schema.layout().countField());
            if (count instanceof Long value) {
                total = total.add(BigInteger.valueOf(value));
            } else if (count == null) {
                schema.checkIsShard(name, shard);
            } else {
                throw new CorruptDataException("sealing '" + name + "': shard '" + shard.getId() + "' holds " + count
                        + ", which is not a whole number: correct it, or reset the counter, then seal"
                        + " again; nothing was changed");
            }
        }
        return total;
    }
}
