package io.counterkit.firestore.internal.counter;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.Transaction;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.SealedException;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.client.Transactions;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Creates a counter with a shard count, once. Callers with an unknown outcome get its token. */
public final class CounterCreation {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final String name;
    private final int shards;
    private final Call call;
    private final IdempotencyToken token = IdempotencyToken.random();
    private volatile boolean isSent;

    public CounterCreation(FirestoreSchema schema, TokenStore tokens, String name, int shards, Call call) {
        this.schema = schema;
        this.tokens = tokens;
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
                    // An attempt that was sent may have created the counter, whose shard count was changed since.
                    return count == null || (count != shards && isSent)
                            ? countByToken(what, answer.problem(), count)
                            : CompletableFuture.completedFuture(count);
                });
        return present.exceptionallyCompose(failure -> CompletableFuture.failedFuture(outcomeOf(what, failure)))
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
                schema.clock().timed(() -> transaction.get(schema.counter(name))),
                counter -> {
                    CounterSeal seal = CounterSeal.of(counter);
                    if (seal != null) {
                        throw new SealedException(name, seal.seal());
                    }
                    String field = schema.shardCountField(counter);
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
                    new CounterWrites(schema).seed(name, shards).writeTo(transaction);
                    isSent = true;
                    return (long) shards;
                },
                MoreExecutors.directExecutor());
    }

    /** Returns the count that was created, or {@code other} if nothing was. */
    private CompletableFuture<Long> countByToken(String what, @Nullable StoreError problem, @Nullable Long other) {
        return tokens.read(List.of(token), call).thenApply(found -> {
            found.checkNotVoid(token, what);
            TokenDocument document = found.get(token);
            if (document == null && other != null) {
                return other;
            }
            if (document == null) {
                throw new IllegalStateException("Firestore reports that a document "
                        + (problem == StoreError.MISSING ? "does not exist" : "exists")
                        + "; check that the database exists");
            }
            return (long) shards;
        });
    }

    private CounterException outcomeOf(String what, Throwable failure) {
        Throwable cause = Futures.unwrap(failure);
        return isSent && !(cause instanceof CounterException)
                ? new OutcomeUnknownException(
                        what + ": the store did not say whether it was applied (" + Reasons.of(cause)
                                + "); repeat it, or resolve token " + token,
                        token,
                        cause)
                : FirestoreErrors.notApplied(what, cause);
    }
}
