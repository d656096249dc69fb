package io.counterkit.firestore.internal.counter;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.QuerySnapshot;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.counter.CounterShards.ShardCount;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Changes the shard count of a counter while other processes write to it. The total is the sum of all existing shards, so
 * writers that use the old count lose nothing. Growing creates the new shards in the commit that publishes the count.
 * Shrinking moves the count of each surplus shard to another shard in one commit, so the total stays right at every step.
 * Nothing is locked, and a repetition completes what a crash interrupted.
 */
public final class Resharding {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final CounterShards counterShards;
    private final String name;
    private final int shards;
    private final IdempotencyToken token = IdempotencyToken.random();
    private final Call call;
    private volatile boolean isSent;

    public Resharding(
            FirestoreSchema schema,
            TokenStore tokens,
            CounterShards counterShards,
            String name,
            int shards,
            Call call) {
        this.schema = schema;
        this.tokens = tokens;
        this.counterShards = counterShards;
        this.name = name;
        this.shards = shards;
        this.call = call;
    }

    public CompletableFuture<Void> run() {
        return counterShards
                .read(List.of(name), call)
                .thenCompose(counts -> publish(Objects.requireNonNull(counts.get(name))))
                .thenCompose(published -> schema.client().once(call, schema.shards(name)::get))
                .thenCompose(this::emptySurplus)
                .exceptionally(failure -> {
                    throw outcomeOf(failure);
                });
    }

    private CounterException outcomeOf(Throwable failure) {
        Throwable cause = Futures.unwrap(failure);
        String what = "resharding '" + name + "' to " + shards;
        return isSent && !(cause instanceof CounterException)
                ? new OutcomeUnknownException(
                        what + ": the store did not say how much was applied (" + cause.getMessage()
                                + "); the total is right in any case: repeat it",
                        token,
                        cause)
                : FirestoreErrors.notApplied(what, cause);
    }

    /** Creates the missing shards and publishes the new count, in one commit. */
    private CompletableFuture<Void> publish(ShardCount count) {
        String field = count.field() == null ? schema.layout().shardCountField() : count.field();
        CounterShards.Writes seeds = counterShards.writes();
        seeds.seed(name, shards);
        isSent = true;
        return commit(token, batch -> {
                    batch.update(schema.counter(name), field, (long) shards);
                    seeds.writeTo(batch);
                })
                .thenRun(() -> counterShards.remember(name, new ShardCount(shards, true, field)));
    }

    private CompletableFuture<Void> emptySurplus(QuerySnapshot found) {
        CompletableFuture<Void> moved = CompletableFuture.completedFuture(null);
        for (DocumentSnapshot shard : found.getDocuments()) {
            if (isSurplus(shard.getId())) {
                moved = moved.thenCompose(before -> empty(shard));
            }
        }
        return moved;
    }

    /** Returns whether a shard is beyond the new count. Foreign shards, whose ids are no numbers, stay as they are. */
    private boolean isSurplus(String id) {
        return id.matches("\\d{1,9}") && Integer.parseInt(id) >= shards;
    }

    private CompletableFuture<Void> empty(DocumentSnapshot shard) {
        String field = schema.layout().countField();
        DocumentReference from = shard.getReference();
        if (!(shard.get(field) instanceof Long count)) {
            return CompletableFuture.failedFuture(new CorruptDataException("shard '" + from.getPath() + "' holds "
                    + shard.get(field) + " and no whole number: correct it, then reshard again"));
        }
        if (count == 0) {
            return CompletableFuture.completedFuture(null);
        }
        DocumentReference to = schema.shard(name, ThreadLocalRandom.current().nextInt(shards));
        return commit(
                IdempotencyToken.random(),
                batch -> batch.update(to, field, FieldValue.increment(count))
                        .update(from, field, FieldValue.increment(-count)));
    }

    /** Sends a commit with a token, so that a retry by the client takes nothing twice from a shard. */
    private CompletableFuture<Void> commit(IdempotencyToken ofCommit, Consumer<WriteBatch> writes) {
        return schema.client()
                .commit(call, List.of(name), () -> {
                    WriteBatch batch = schema.firestore().batch();
                    tokens.create(batch, ofCommit, TokenDocument.of(TokenDocument.Kind.DONE, name));
                    writes.accept(batch);
                    return batch.commit();
                })
                .thenAccept(answer -> {
                    if (answer.problem() == StoreError.MISSING) {
                        throw new NotAppliedException(
                                "resharding '" + name + "': there is no such counter; create it with its shard count");
                    }
                });
    }
}
