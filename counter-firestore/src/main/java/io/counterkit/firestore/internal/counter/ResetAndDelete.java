package io.counterkit.firestore.internal.counter;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.AggregateField;
import com.google.cloud.firestore.AggregateQuerySnapshot;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.Transaction;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.Transactions;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Commit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reset and deletion: each one transaction that reads the shards, so that an add comes before it or after it, and
 * creates the marker of its commit, so that it is done once however often it is sent.
 */
final class ResetAndDelete {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final String name;
    private final Commit commit;
    private final AtomicInteger attempts = new AtomicInteger();

    ResetAndDelete(FirestoreSchema schema, TokenStore tokens, String name, Commit commit) {
        this.schema = schema;
        this.tokens = tokens;
        this.name = name;
        this.commit = commit;
    }

    CompletableFuture<Void> reset() {
        return run("reset", this::reset);
    }

    CompletableFuture<Void> delete() {
        return run("delete", this::delete);
    }

    private interface Body {
        ApiFuture<Boolean> writeIn(Transaction transaction, boolean isFirst);
    }

    private CompletableFuture<Void> run(String what, Body body) {
        return schema.sender()
                .send(commit, List.of(name), () -> {
                    boolean isFirst = attempts.getAndIncrement() == 0;
                    return Transactions.once(schema, commit, transaction -> body.writeIn(transaction, isFirst));
                })
                .thenCompose(answer -> answer.isApplied()
                        ? CompletableFuture.completedFuture(null)
                        : tokens.read(List.of(commit.token()), commit)
                                .thenCompose(found -> found.isMoved() ? run(what, body) : done(what, found)));
    }

    private CompletableFuture<Void> done(String what, TokenStore.Found found) {
        TokenDocument marker = found.get(commit.token());
        return marker == null || marker.isVoid()
                ? CompletableFuture.failedFuture(new NotAppliedException(
                        what + " of '" + name + "': its token was resolved as not applied while it was on its way"))
                : CompletableFuture.completedFuture(null);
    }

    /** Takes the sum of all shards from one of them; adds to the others do not wait for this to be written. */
    private ApiFuture<Boolean> reset(Transaction transaction, boolean isFirst) {
        AggregateField sum = AggregateField.sum(schema.options().countField());
        long asked = System.nanoTime();
        return ApiFutures.transformAsync(
                transaction.get(schema.shards(name).aggregate(sum, AggregateField.count())),
                answer -> {
                    schema.clock().noteAnswer(answer, asked);
                    if (answer.get(sum) instanceof Long total && total != Long.MIN_VALUE) {
                        if (mark(transaction, answer, isFirst)) {
                            set(transaction, firstShard(), FieldValue.increment(-total));
                            dropRollup(transaction);
                        }
                        return ApiFutures.immediateFuture(true);
                    }
                    return zero(transaction);
                },
                MoreExecutors.directExecutor());
    }

    /** Whether there is anything to clear. After a lost reply it is marked even if not, so that no attempt lands late. */
    private boolean mark(Transaction transaction, AggregateQuerySnapshot answer, boolean isFirst) {
        return mark(transaction, answer.getCount() > 0, isFirst);
    }

    private boolean mark(Transaction transaction, boolean isPresent, boolean isFirst) {
        if (isPresent || !isFirst) {
            tokens.create(transaction, commit.token(), TokenDocument.of(TokenDocument.Kind.DONE, name));
        }
        return isPresent;
    }

    /** Where the sum is no whole number of 64 bits, nothing can be taken away from it: each shard is set. */
    private ApiFuture<Boolean> zero(Transaction transaction) {
        return ApiFutures.transform(
                transaction.get(schema.shards(name).select(FieldPath.documentId())),
                shards -> {
                    mark(transaction, true, false);
                    for (QueryDocumentSnapshot shard : shards.getDocuments()) {
                        set(transaction, shard.getReference(), 0L);
                    }
                    dropRollup(transaction);
                    return true;
                },
                MoreExecutors.directExecutor());
    }

    private void set(Transaction transaction, DocumentReference shard, Object count) {
        transaction.set(shard, Map.of(schema.options().countField(), count), SetOptions.merge());
    }

    /** What readers left there was the total before. */
    private void dropRollup(Transaction transaction) {
        Map<String, Object> fields = Map.of(
                schema.options().totalField(), FieldValue.delete(),
                schema.options().totalTimeField(), FieldValue.delete());
        transaction.set(schema.counter(name), fields, SetOptions.merge());
    }

    /** Each counter has it, however many it has, so snippets of the recipe that know their number see it too. */
    private DocumentReference firstShard() {
        return schema.shard(name, 0);
    }

    private ApiFuture<Boolean> delete(Transaction transaction, boolean isFirst) {
        DocumentReference counter = schema.counter(name);
        long asked = System.nanoTime();
        return ApiFutures.transformAsync(
                transaction.get(counter),
                document -> ApiFutures.transform(
                        transaction.get(schema.shards(name).select(FieldPath.documentId())),
                        shards -> {
                            schema.clock().noteAnswer(document, asked);
                            if (mark(transaction, document.exists() || !shards.isEmpty(), isFirst)) {
                                transaction.delete(counter);
                                shards.forEach(shard -> transaction.delete(shard.getReference()));
                            }
                            return true;
                        },
                        MoreExecutors.directExecutor()),
                MoreExecutors.directExecutor());
    }
}
