package io.counterkit.firestore.internal.counter;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.Transaction;
import com.google.cloud.firestore.UpdateBuilder;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.client.Transactions;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Call;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives a counter its shard count, unless it has one. Done twice it comes to the same; its marker is for those who are
 * not told whether it was done.
 */
public final class Definition {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final String name;
    private final int shards;
    private final IdempotencyToken token;
    private final Call call;
    private volatile boolean isSent;

    public Definition(
            FirestoreSchema schema, TokenStore tokens, String name, int shards, IdempotencyToken token, Call call) {
        this.schema = schema;
        this.tokens = tokens;
        this.name = name;
        this.shards = shards;
        this.token = token;
        this.call = call;
    }

    public CompletableFuture<Void> define() {
        return schema.sender()
                .send(call, List.of(name), () -> Transactions.once(schema, call, this::writeIn))
                .thenCompose(answer -> {
                    Long present = answer.value();
                    return present == null ? mark(answer.problem()) : CompletableFuture.completedFuture(present);
                })
                .exceptionally(failure -> {
                    throw outcomeOf(failure);
                })
                .thenAccept(present -> {
                    if (present != shards) {
                        throw new NotAppliedException(what() + ": it has " + present
                                + " already, and the first definition wins; nothing was changed");
                    }
                });
    }

    private String what() {
        return "creating '" + name + "' with " + shards + " shards";
    }

    /** What the marker tells that is there already. */
    private CompletableFuture<Long> mark(@Nullable StoreError problem) {
        return tokens.read(List.of(token), call).thenApply(found -> {
            TokenDocument marker = found.get(token);
            if (marker == null) {
                throw new IllegalStateException(
                        "Firestore reports a document as " + problem + "; is there a database?");
            }
            if (marker.isVoid()) {
                throw new NotAppliedException(
                        what() + ": its token was resolved as not applied while it was on its way");
            }
            return (long) shards;
        });
    }

    private CounterException outcomeOf(Throwable failure) {
        Throwable cause = FirestoreErrors.unwrapped(failure);
        return isSent && !(cause instanceof CounterException)
                ? new OutcomeUnknownException(
                        what() + ": the store did not say whether it was done (" + cause.getMessage()
                                + "); do it again, or resolve token " + token,
                        token,
                        cause)
                : FirestoreErrors.notApplied(what(), cause);
    }

    /** Returns the shard count that the counter has then. */
    private ApiFuture<Long> writeIn(Transaction transaction) {
        long asked = System.nanoTime();
        return ApiFutures.transform(
                transaction.get(schema.counter(name)),
                counter -> {
                    schema.clock().noteAnswer(counter, asked);
                    String field = counter.exists() ? schema.shardCountField(counter) : null;
                    Long present = field == null ? null : counter.getLong(field);
                    if (present != null && present != shards) {
                        return present;
                    }
                    tokens.create(transaction, token, TokenDocument.of(TokenDocument.Kind.DONE, name));
                    if (present == null) {
                        transaction.set(
                                counter.getReference(),
                                Map.of(schema.options().shardCountField(), (long) shards),
                                SetOptions.merge());
                    }
                    SortedMap<String, Consumer<UpdateBuilder<?>>> seeds = new TreeMap<>();
                    new CounterCreation(schema, name, new ShardCounts.ShardCount(shards, true, field)).seed(seeds);
                    seeds.values().forEach(seed -> seed.accept(transaction));
                    isSent = true;
                    return (long) shards;
                },
                MoreExecutors.directExecutor());
    }
}
