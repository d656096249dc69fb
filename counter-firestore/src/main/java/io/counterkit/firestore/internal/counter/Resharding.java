package io.counterkit.firestore.internal.counter;

import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.WriteBatch;
import com.google.cloud.firestore.WriteResult;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.firestore.internal.client.Answer;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Changes the shard count of a counter while other processes write to it.
 *
 * <p>The total is the sum of all existing shards, so writers that use the old count lose nothing. Growing creates the
 * new shards in the commit that publishes the count. Shrinking then moves the counts of the surplus shards to shards
 * that remain, in transactions, so the total stays right at every step. Several processes may reshard a counter at
 * once, and a repetition completes an interrupted resharding.
 */
public final class Resharding {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final CounterCache cache;
    private final SurplusShards surplusShards;
    private final String name;
    private final @Nullable Integer onlyFrom;
    private final int shards;
    private final Call call;
    private final IdempotencyToken token = IdempotencyToken.random();
    private volatile boolean isSent;
    private volatile boolean isPublished;

    /**
     * Prepares a resharding.
     *
     * @param onlyFrom the shard count that the counter must have; with another one, nothing changes. Null for any
     */
    public Resharding(
            FirestoreSchema schema,
            TokenStore tokens,
            CounterCache cache,
            String name,
            @Nullable Integer onlyFrom,
            int shards,
            Call call) {
        this.schema = schema;
        this.tokens = tokens;
        this.cache = cache;
        this.name = name;
        this.onlyFrom = onlyFrom;
        this.shards = shards;
        this.call = call;
        surplusShards = new SurplusShards(schema, tokens, name, shards, call);
    }

    private String what() {
        return "resharding '" + name + "' to " + shards;
    }

    public CompletableFuture<Void> run() {
        return publishAndEmpty(token, 1)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(outcomeOf(Futures.unwrap(failure))));
    }

    private CounterException outcomeOf(Throwable cause) {
        return isPublished || (isSent && !(cause instanceof CounterException))
                ? new OutcomeUnknownException(
                        what() + ": the store did not say whether all of it was applied (" + Reasons.of(cause)
                                + "); the total is right in any case: repeat it",
                        token,
                        cause)
                : FirestoreErrors.notApplied(what(), cause);
    }

    private CompletableFuture<Void> publishAndEmpty(IdempotencyToken ofCommit, int attempts) {
        return publish(ofCommit, 1)
                .thenCompose(surplusShards::empty)
                .thenCompose(isEmpty -> isEmpty
                        ? CompletableFuture.completedFuture(null)
                        // A shard was deleted. Creates it again, unless the counter was deleted too.
                        : schema.timers()
                                .afterPause(
                                        call,
                                        attempts,
                                        () -> publishAndEmpty(IdempotencyToken.random(), attempts + 1)));
    }

    /**
     * Creates the missing shards and publishes the new count, in one commit, if the counter has not changed since it
     * was read: a sealed counter must not get shards again. Does nothing if the counter was deleted or sealed after an
     * earlier commit of this resharding.
     *
     * @return the surplus shards, as they were before the commit
     */
    private CompletableFuture<List<DocumentSnapshot>> publish(IdempotencyToken ofCommit, int attempts) {
        return cache.read(List.of(name), call).thenCompose(counters -> {
            CounterDocument counter = Objects.requireNonNull(counters.get(name));
            CounterException refusal = counter.isThere() ? counter.refusal(name) : absent();
            if (refusal != null) {
                return isPublished
                        ? CompletableFuture.completedFuture(List.of())
                        : CompletableFuture.failedFuture(refusal);
            }
            if (onlyFrom != null && counter.shards() != (isPublished ? shards : onlyFrom)) {
                return CompletableFuture.completedFuture(List.of()); // another process has changed it
            }
            return surplusShards
                    .read(!isPublished)
                    .thenCompose(surplus -> publish(ofCommit, counter, surplus, attempts));
        });
    }

    private NotAppliedException absent() {
        return new NotAppliedException(what() + ": there is no such counter; create it with its shard count");
    }

    private CompletableFuture<List<DocumentSnapshot>> publish(
            IdempotencyToken ofCommit, CounterDocument counter, List<DocumentSnapshot> surplus, int attempts) {
        String field = counter.field() == null ? schema.layout().shardCountField() : counter.field();
        Precondition unchanged = Precondition.updatedAt(Objects.requireNonNull(counter.updated()));
        isSent = true;
        return commit(ofCommit, attempts, batch -> {
                    batch.update(schema.counter(name), Map.of(field, (long) shards), unchanged);
                    new CounterWrites(schema).seed(name, shards).writeTo(batch);
                })
                .thenCompose(answer -> {
                    if (answer.problem() == StoreError.MISSING) {
                        return schema.timers().afterPause(call, attempts, () -> publish(ofCommit, attempts + 1));
                    }
                    isPublished = true;
                    cache.remember(name, CounterDocument.written(shards, field));
                    return CompletableFuture.completedFuture(surplus);
                });
    }

    /** Sends the commit that publishes the count, with a token document, so that it is applied at most once. */
    private CompletableFuture<Answer<List<WriteResult>>> commit(
            IdempotencyToken ofCommit, int attempts, Consumer<WriteBatch> writes) {
        return Answer.orMissing(schema.client()
                .commit(
                        call,
                        List.of(name),
                        () -> {
                            WriteBatch batch = schema.firestore().batch();
                            tokens.create(batch, ofCommit, TokenDocument.of(TokenDocument.Kind.DONE, name));
                            writes.accept(batch);
                            return batch.commit();
                        },
                        attempts));
    }
}
