package io.counterkit.firestore.internal.counter;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.UpdateBuilder;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.firestore.CounterActivity;
import io.counterkit.firestore.CounterDescription;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Call;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Gives a counter another number of shards while it is written to. The total is the sum of whatever shards are there, so
 * writers that still go by the old number lose nothing. Growing makes the new shards in the commit that tells of them.
 * Shrinking moves what the surplus shards hold, each in one commit that takes away in one place what it adds in another:
 * whatever else is added meanwhile, the total stays what it is. So there is nothing to lock, and whoever does it again
 * after a crash completes it.
 */
public final class Resharding {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final ShardCounts shardCounts;
    private final String name;
    private final int shards;
    private final IdempotencyToken token;
    private final Call call;
    private volatile boolean isSent;

    public Resharding(
            FirestoreSchema schema,
            TokenStore tokens,
            ShardCounts shardCounts,
            String name,
            int shards,
            IdempotencyToken token,
            Call call) {
        this.schema = schema;
        this.tokens = tokens;
        this.shardCounts = shardCounts;
        this.name = name;
        this.shards = shards;
        this.token = token;
        this.call = call;
    }

    public CompletableFuture<Void> run() {
        return shardCounts
                .read(List.of(name), call)
                .thenCompose(counts -> publish(Objects.requireNonNull(counts.get(name))))
                .thenCompose(published -> CounterDescriber.read(schema, name, CounterActivity.NONE, call))
                .thenCompose(this::emptySurplus)
                .exceptionally(failure -> {
                    throw outcomeOf(failure);
                });
    }

    private CounterException outcomeOf(Throwable failure) {
        Throwable cause = FirestoreErrors.unwrapped(failure);
        String what = "resharding '" + name + "' to " + shards;
        return isSent && !(cause instanceof CounterException)
                ? new OutcomeUnknownException(
                        what + ": the store did not say how far it came (" + cause.getMessage()
                                + "); the total is right all the same: do it again",
                        token,
                        cause)
                : FirestoreErrors.notApplied(what, cause);
    }

    /** Makes the shards that are missing and tells of the new number, in one commit. */
    private CompletableFuture<Void> publish(ShardCounts.ShardCount count) {
        String field = count.field() == null ? schema.options().shardCountField() : count.field();
        ShardCounts.ShardCount published = new ShardCounts.ShardCount(shards, true, field);
        SortedMap<String, Consumer<UpdateBuilder<?>>> seeds = new TreeMap<>();
        new CounterCreation(schema, name, published).seed(seeds);
        isSent = true;
        return send(token, batch -> {
                    batch.update(schema.counter(name), field, (long) shards);
                    seeds.values().forEach(seed -> seed.accept(batch));
                })
                .thenRun(() -> shardCounts.remember(name, published));
    }

    private CompletableFuture<Void> emptySurplus(CounterDescription description) {
        CompletableFuture<Void> moved = CompletableFuture.completedFuture(null);
        for (CounterDescription.Shard shard : description.shards()) {
            if (isSurplus(shard.id())) {
                moved = moved.thenCompose(before -> empty(shard));
            }
        }
        return moved;
    }

    /** Foreign shards, whose ids are no numbers, are left alone. */
    private boolean isSurplus(String id) {
        return id.matches("\\d{1,9}") && Integer.parseInt(id) >= shards;
    }

    private CompletableFuture<Void> empty(CounterDescription.Shard shard) {
        DocumentReference from = schema.shards(name).document(shard.id());
        if (!(shard.count() instanceof Long count)) {
            return CompletableFuture.failedFuture(new CorruptDataException("shard '" + from.getPath() + "' holds "
                    + shard.count() + " and no whole number: correct it, then reshard again"));
        }
        if (count == 0) {
            return CompletableFuture.completedFuture(null);
        }
        DocumentReference to = schema.shard(name, ThreadLocalRandom.current().nextInt(shards));
        String field = schema.options().countField();
        return send(
                IdempotencyToken.random(),
                batch -> batch.update(to, field, FieldValue.increment(count))
                        .update(from, field, FieldValue.increment(-count)));
    }

    /** With a marker, so that the client's own repetition does not take from a shard what it no longer holds. */
    private CompletableFuture<Void> send(IdempotencyToken marker, Consumer<WriteBatch> writes) {
        return schema.sender()
                .send(call, List.of(name), () -> {
                    WriteBatch batch = schema.firestore().batch();
                    tokens.create(batch, marker, TokenDocument.of(TokenDocument.Kind.DONE, name));
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
