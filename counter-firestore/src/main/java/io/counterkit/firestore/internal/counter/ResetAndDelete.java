package io.counterkit.firestore.internal.counter;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.AggregateField;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.QuerySnapshot;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.Transaction;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.SealedException;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.Transactions;
import io.counterkit.firestore.internal.read.ShardSums;
import io.counterkit.firestore.internal.stamp.KeptTokens;
import io.counterkit.firestore.internal.stamp.Stamps;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Commit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Resets or deletes a counter in one transaction that reads the shards, so that each add is applied before or after it.
 * The transaction creates the token document of its commit, so it is applied once.
 */
final class ResetAndDelete {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final String name;
    private final Commit commit;
    private final AtomicInteger attempts = new AtomicInteger();
    private final KeptTokens kept;

    ResetAndDelete(FirestoreSchema schema, TokenStore tokens, String name, Commit commit) {
        this.schema = schema;
        this.tokens = tokens;
        this.name = name;
        this.commit = commit;
        this.kept = new KeptTokens(tokens);
    }

    CompletableFuture<Void> reset() {
        return run("reset", this::reset);
    }

    CompletableFuture<Void> delete() {
        return run("delete", this::delete);
    }

    private interface Body {
        /** Writes the change, or returns the seal of the counter and writes nothing. */
        ApiFuture<Optional<CounterSeal>> write(Transaction transaction, boolean isFirst);
    }

    private CompletableFuture<Void> run(String what, Body body) {
        return schema.client()
                .commit(
                        commit,
                        List.of(name),
                        () -> {
                            boolean isFirst = attempts.getAndIncrement() == 0;
                            return Transactions.once(schema, commit, transaction -> body.write(transaction, isFirst));
                        },
                        attempts.get() + 1)
                .thenCompose(answer -> {
                    if (answer.value() != null && answer.value().isEmpty()) {
                        return CompletableFuture.completedFuture(null);
                    }
                    Optional<CounterSeal> seal = answer.value() == null ? Optional.empty() : answer.value();
                    return tokens.read(List.of(commit.token()), commit).thenCompose(found -> {
                        if (seal.isPresent() && found.get(commit.token()) == null) {
                            throw new SealedException(name, seal.get().seal());
                        }
                        if (found.needsSecond()) {
                            return run(what, body);
                        }
                        return found.get(commit.token()) != null
                                ? resultOf(what, found)
                                : kept.findMore(commit)
                                        .thenCompose(more -> more ? run(what, body) : resultOf(what, found));
                    });
                });
    }

    /** Returns the result of a change that this attempt did not apply: its token document tells whether an earlier one did. */
    private CompletableFuture<Void> resultOf(String what, TokenStore.Found found) {
        TokenDocument document = found.get(commit.token());
        return document == null || document.isVoid()
                ? CompletableFuture.failedFuture(TokenDocument.voided(what + " of '" + name + "'"))
                : CompletableFuture.completedFuture(null);
    }

    /** Subtracts the sum of all shards from one of them, so that adds to the other shards do not wait. */
    private ApiFuture<Optional<CounterSeal>> reset(Transaction transaction, boolean isFirst) {
        AggregateField sum = AggregateField.sum(schema.layout().countField());
        return ApiFutures.transformAsync(
                schema.clock().timed(() -> transaction.get(schema.shards(name).aggregate(sum, AggregateField.count()))),
                answer -> {
                    if (!(answer.get(sum) instanceof Long total) || total == Long.MIN_VALUE) {
                        return zero(transaction);
                    }
                    boolean isPresent = answer.getCount() > 0;
                    createToken(transaction, isPresent, isFirst);
                    if (isPresent) {
                        // Every counter has shard 0, so snippets that sum a fixed number of shards include it.
                        set(transaction, schema.shard(name, 0), FieldValue.increment(-total));
                        deleteRollup(transaction);
                    }
                    return ApiFutures.immediateFuture(Optional.empty());
                },
                MoreExecutors.directExecutor());
    }

    /**
     * Creates the token document if the counter is present. Also creates it after a lost reply, so that no earlier
     * attempt is applied later.
     */
    private void createToken(Transaction transaction, boolean isPresent, boolean isFirst) {
        if (isPresent || !isFirst) {
            tokens.create(transaction, commit.token(), TokenDocument.of(TokenDocument.Kind.DONE, name));
        }
    }

    /**
     * Sets each shard to 0, since a sum that is not a 64-bit integer cannot be subtracted. Returns the seal if the sum
     * is not an integer because the counter is sealed.
     */
    private ApiFuture<Optional<CounterSeal>> zero(Transaction transaction) {
        return ApiFutures.transform(
                shards(transaction),
                shards -> {
                    Optional<CounterSeal> seal = Optional.ofNullable(ShardSums.sealOf(shards));
                    if (seal.isEmpty()) {
                        createToken(transaction, true, false);
                        shards.forEach(shard -> set(transaction, shard.getReference(), 0L));
                        deleteRollup(transaction);
                    }
                    return seal;
                },
                MoreExecutors.directExecutor());
    }

    private ApiFuture<QuerySnapshot> shards(Transaction transaction) {
        return ApiFutures.transform(
                transaction.get(schema.shards(name)
                        .select(CounterSeal.FIELD, Stamps.FIELD, schema.layout().countField())),
                shards -> {
                    shards.forEach(shard -> schema.checkIsShard(name, shard));
                    return shards;
                },
                MoreExecutors.directExecutor());
    }

    private void set(Transaction transaction, DocumentReference shard, Object count) {
        transaction.set(shard, Map.of(schema.layout().countField(), count), SetOptions.merge());
    }

    private void deleteRollup(Transaction transaction) {
        Map<String, Object> fields = Map.of(
                schema.layout().totalField(), FieldValue.delete(),
                schema.layout().totalTimeField(), FieldValue.delete());
        transaction.set(schema.counter(name), fields, SetOptions.merge());
    }

    private ApiFuture<Optional<CounterSeal>> delete(Transaction transaction, boolean isFirst) {
        DocumentReference counter = schema.counter(name);
        return ApiFutures.transformAsync(
                schema.clock().timed(() -> transaction.get(counter)),
                document -> ApiFutures.transform(
                        shards(transaction),
                        shards -> {
                            Optional<CounterSeal> seal = Optional.ofNullable(ShardSums.sealOf(shards));
                            if (seal.isPresent()) {
                                return seal;
                            }
                            boolean isPresent = document.exists() || !shards.isEmpty();
                            createToken(transaction, isPresent, isFirst);
                            if (isPresent) {
                                kept.create(transaction, shards);
                                transaction.delete(counter);
                                shards.forEach(shard -> transaction.delete(shard.getReference()));
                            }
                            return seal;
                        },
                        MoreExecutors.directExecutor()),
                MoreExecutors.directExecutor());
    }
}
