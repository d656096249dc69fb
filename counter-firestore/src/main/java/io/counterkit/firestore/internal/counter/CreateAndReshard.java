package io.counterkit.firestore.internal.counter;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.QuerySnapshot;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.Transaction;
import com.google.cloud.firestore.WriteBatch;
import com.google.cloud.firestore.WriteResult;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.SealedException;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.RetryingClient;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.client.Transactions;
import io.counterkit.firestore.internal.counter.CounterShards.ShardCount;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates a counter with a shard count, or changes the shard count of a counter while other processes write to it. Both are
 * idempotent; the token is for callers whose outcome is unknown.
 *
 * <p>The total is the sum of all existing shards, so writers that use the old count lose nothing. Growing creates the new
 * shards in the commit that publishes the count. Shrinking moves the count of each surplus shard to another shard in one
 * commit, so the total stays right at every step. Nothing is locked, and a repetition completes what a crash interrupted.
 */
public final class CreateAndReshard {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final CounterShards counterShards;
    private final String name;
    private final int shards;
    private final Call call;
    private final IdempotencyToken token = IdempotencyToken.random();
    private volatile boolean isSent;

    public CreateAndReshard(
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

    public CompletableFuture<Void> create() {
        String what = "creating '" + name + "' with " + shards + " shards";
        CompletableFuture<Long> present = schema.client()
                .commit(call, List.of(name), () -> Transactions.once(schema, call, this::create))
                .thenCompose(answer -> {
                    Long count = answer.value();
                    return count == null
                            ? countByToken(what, answer.problem())
                            : CompletableFuture.completedFuture(count);
                });
        return withOutcome(what, "repeat it, or resolve token " + token, present)
                .thenAccept(count -> {
                    if (count != shards) {
                        throw new NotAppliedException(what + ": it has " + count
                                + " already, and the first definition wins; nothing was changed");
                    }
                });
    }

    /** Writes the counter and its missing shards, and returns its shard count; writes nothing if it has another one. */
    private ApiFuture<Long> create(Transaction transaction) {
        return ApiFutures.transform(
                schema.clock().noting(() -> transaction.get(schema.counter(name))),
                counter -> {
                    CounterSeal seal = CounterSeal.of(counter);
                    if (seal != null) {
                        throw new SealedException(name, seal.seal());
                    }
                    String field = counter.exists() ? schema.shardCountField(counter) : null;
                    Long present = field == null ? null : counter.getLong(field);
                    if (present != null && present != shards) {
                        return present;
                    }
                    tokens.create(transaction, token, TokenDocument.of(TokenDocument.Kind.DONE, name));
                    if (present == null) {
                        transaction.set(
                                counter.getReference(),
                                Map.of(schema.layout().shardCountField(), (long) shards),
                                SetOptions.merge());
                    }
                    counterShards.writes().seed(name, shards).writeTo(transaction);
                    isSent = true;
                    return (long) shards;
                },
                MoreExecutors.directExecutor());
    }

    private CompletableFuture<Long> countByToken(String what, @Nullable StoreError problem) {
        return tokens.read(List.of(token), call).thenApply(found -> {
            TokenDocument document = found.get(token);
            if (document == null) {
                throw new IllegalStateException("Firestore reports that a document "
                        + (problem == StoreError.MISSING ? "does not exist" : "exists")
                        + "; check that the database exists");
            }
            if (document.isVoid()) {
                throw new NotAppliedException(what + ": its token was resolved as not applied in the meantime");
            }
            return (long) shards;
        });
    }

    private <T> CompletableFuture<T> withOutcome(String what, String wayOut, CompletableFuture<T> change) {
        return change.exceptionally(failure -> {
            Throwable cause = Futures.unwrap(failure);
            throw isSent && !(cause instanceof CounterException)
                    ? new OutcomeUnknownException(
                            what + ": the store did not say whether it was applied (" + cause.getMessage() + "); "
                                    + wayOut,
                            token,
                            cause)
                    : FirestoreErrors.notApplied(what, cause);
        });
    }

    public CompletableFuture<Void> reshard() {
        return withOutcome(
                "resharding '" + name + "' to " + shards,
                "the total is right in any case: repeat it",
                publish(1)
                        .thenCompose(published -> schema.client().once(call, schema.shards(name)::get))
                        .thenCompose(this::emptySurplus));
    }

    /**
     * Creates the missing shards and publishes the new count, in one commit, if the counter has not changed since it was
     * read: a sealed one must not get shards again.
     */
    private CompletableFuture<Void> publish(int attempts) {
        return counterShards.read(List.of(name), call).thenCompose(counts -> {
            ShardCount count = Objects.requireNonNull(counts.get(name));
            if (count.seal() != null) {
                throw new SealedException(name, count.seal().seal());
            }
            if (count.updated() == null) {
                throw new NotAppliedException(
                        "resharding '" + name + "': there is no such counter; create it with its shard count");
            }
            String field = count.field() == null ? schema.layout().shardCountField() : count.field();
            Precondition unchanged = Precondition.updatedAt(count.updated());
            isSent = true;
            return commit(token, batch -> {
                        batch.update(schema.counter(name), Map.of(field, (long) shards), unchanged);
                        counterShards.writes().seed(name, shards).writeTo(batch);
                    })
                    .thenCompose(answer -> {
                        if (answer.problem() == StoreError.MISSING) {
                            return schema.client().afterPause(call, attempts, () -> publish(attempts + 1));
                        }
                        counterShards.remember(name, ShardCount.written(shards, field));
                        return CompletableFuture.completedFuture(null);
                    });
        });
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
                                .update(from, field, FieldValue.increment(-count)))
                .thenAccept(answer -> {
                    if (answer.problem() == StoreError.MISSING) {
                        throw new NotAppliedException("resharding '" + name
                                + "': the counter was deleted or sealed meanwhile, which removed its shards");
                    }
                });
    }

    /** Sends a commit with a token, so that a retry by the client takes nothing twice from a shard. */
    private CompletableFuture<RetryingClient.Answer<List<WriteResult>>> commit(
            IdempotencyToken ofCommit, Consumer<WriteBatch> writes) {
        return RetryingClient.orMissing(schema.client().commit(call, List.of(name), () -> {
            WriteBatch batch = schema.firestore().batch();
            tokens.create(batch, ofCommit, TokenDocument.of(TokenDocument.Kind.DONE, name));
            writes.accept(batch);
            return batch.commit();
        }));
    }
}
