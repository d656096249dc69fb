package io.counterkit.firestore.internal.counter;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.UpdateBuilder;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.internal.client.Answer;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * One commit of adds. It creates the token documents first, so that the store's answer concerns them, and then writes
 * one increment for each counter. The shard of each counter is chosen once and is the same in every attempt; only the
 * documents to create may change.
 */
public final class AddCommit {
    /** The most token documents and shards of one commit. More would gain nothing, and lock more at once. */
    public static final int MAX_WEIGHT = 500;

    private final FirestoreSchema schema;
    private final CounterCache cache;
    private final TokenStore tokens;
    private final CommitAdds adds;
    private final Commit commit;
    private final Map<IdempotencyToken, TokenDocument> tokenDocuments = new LinkedHashMap<>();
    private boolean isShardMissing;
    private int sent;
    private int missing;

    private AddCommit(FirestoreSchema schema, CounterCache cache, TokenStore tokens, CommitAdds adds) {
        this.schema = schema;
        this.cache = cache;
        this.tokens = tokens;
        this.adds = adds;
        this.commit = adds.commit();
    }

    /** Returns the sender of commits with token documents. */
    public static AddSender sender(FirestoreSchema schema, CounterCache cache, TokenStore tokens) {
        return adds -> new AddCommit(schema, cache, tokens, adds).send();
    }

    /**
     * Returns the limits of a batch. A process sends one transaction at a time, since several would only block each
     * other.
     */
    public static BatchLimits limits(FirestoreCounterOptions options) {
        return BatchLimits.ofWeight(MAX_WEIGHT)
                .withInFlight(options.writeStrategy() == WriteStrategy.TRANSACTION ? 1 : options.commitsInFlight());
    }

    private CompletableFuture<List<Result<Void>>> send() {
        for (AddRequest request : adds.requests()) {
            IdempotencyToken token = request.token();
            tokenDocuments.put(
                    token == null ? commit.token() : token,
                    token == null ? TokenDocument.of(TokenDocument.Kind.ADDS, "") : TokenDocument.of(request));
        }
        List<String> unread = adds.unread().stream().map(CounterAdd::name).toList();
        if (unread.isEmpty()) {
            return attemptWithinRate();
        }
        return FirestoreErrors.orNotApplied(adds.what(), cache.read(unread, commit))
                .thenCompose(found -> {
                    adds.setCounters(found);
                    return attemptWithinRate();
                });
    }

    /** Chooses the shards, and sends the commit when their rates allow it. Adds that arrive meanwhile are merged. */
    private CompletableFuture<List<Result<Void>>> attemptWithinRate() {
        if (adds.isAnyRefused()) {
            return FirestoreErrors.orNotApplied(adds.what(), answerRefused());
        }
        long most = commit.remaining().toNanos();
        long wait = 0;
        for (CounterAdd add : adds.all()) {
            wait = Math.max(wait, add.reserve(schema, most));
        }
        if (wait > most) {
            adds.all().forEach(CounterAdd::cancel);
            return FirestoreErrors.orNotApplied(adds.what(), answerRefused());
        }
        adds.sent();
        return wait == 0
                ? timedAttempt()
                : FirestoreErrors.orNotApplied(adds.what(), schema.timers().after(wait))
                        .thenCompose(waited -> timedAttempt());
    }

    private CompletableFuture<List<Result<Void>>> timedAttempt() {
        long start = System.nanoTime();
        return attempt().whenComplete((results, failure) -> adds.answered(System.nanoTime() - start));
    }

    private CompletableFuture<List<Result<Void>>> attempt() {
        sent++;
        return Answer.orMissing(schema.client().commit(commit, adds.names(), adds::conflicted, this::request, sent))
                .thenCompose(answer -> {
                    if (answer.isApplied() && Boolean.FALSE.equals(answer.value())) { // see AddTransaction
                        return readCountersAndAttempt();
                    }
                    if (answer.isApplied()) {
                        rememberCreated();
                        return CompletableFuture.completedFuture(
                                Collections.nCopies(adds.requests().size(), Result.applied()));
                    }
                    if (answer.problem() == StoreError.MISSING) {
                        isShardMissing = true;
                        // No pause after the first failure: the shard is new, or the counter is deleted or sealed.
                        return ++missing == 1
                                ? readCountersAndAttempt()
                                : schema.timers().afterPause(commit, missing - 1, this::readCountersAndAttempt);
                    }
                    // Without a document, another process has created a counter, or a token needs its second document.
                    return tokens.read(tokenDocuments.keySet(), commit)
                            .thenCompose(found -> found.documents().isEmpty()
                                    ? readCountersAndAttempt()
                                    : CompletableFuture.completedFuture(
                                            answers().of(found.documents())));
                });
    }

    private CompletableFuture<List<Result<Void>>> readCountersAndAttempt() {
        return cache.read(adds.names(), commit).thenCompose(read -> {
            adds.setCounters(read);
            return adds.isAnyRefused() ? answerRefused() : attempt();
        });
    }

    /** Returns results without a commit if some counters cannot be changed, so that only the adds to these fail. */
    private CompletableFuture<List<Result<Void>>> answerRefused() {
        return answers().withoutCommit(sent > 0 ? tokenDocuments.keySet() : null);
    }

    private AddAnswers answers() {
        return new AddAnswers(tokens, adds);
    }

    private ApiFuture<?> request() {
        if (schema.options().writeStrategy() == WriteStrategy.TRANSACTION) {
            return new AddTransaction(schema, adds.all()).attempt(commit, this::createTokens);
        }
        WriteBatch batch = schema.firestore().batch();
        createTokens(batch);
        CounterWrites writes = new CounterWrites(schema);
        adds.all().forEach(add -> writes.add(add.name(), add.counter(), add.shard(), add.delta(), isShardMissing));
        writes.writeTo(batch);
        return batch.commit();
    }

    private void createTokens(UpdateBuilder<?> builder) {
        tokenDocuments.forEach((token, document) -> tokens.create(builder, token, document));
    }

    private void rememberCreated() {
        for (CounterAdd add : adds.all()) {
            if (!add.counter().isThere()) {
                cache.remember(add.name(), CounterDocument.written(add.counter().shards(), null));
            }
        }
    }
}
