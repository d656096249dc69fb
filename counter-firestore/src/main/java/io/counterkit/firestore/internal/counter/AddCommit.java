package io.counterkit.firestore.internal.counter;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.UpdateBuilder;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.ContentionException;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.internal.client.Answer;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.counter.CounterShards.ShardCount;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
    private final CounterShards shards;
    private final ShardRateLimiter limiter;
    private final TokenStore tokens;
    private final ActivityTracker activities;
    private final List<AddRequest> requests;
    private final Commit commit;
    private final Map<IdempotencyToken, TokenDocument> tokenDocuments = new LinkedHashMap<>();
    private final SortedMap<String, Long> deltas = new TreeMap<>();
    private final Map<String, DocumentReference> chosen = new HashMap<>();
    private final Map<String, CounterException> refusals = new HashMap<>();
    private Map<String, ShardCount> counts;
    private boolean isShardMissing;
    private boolean isSent;
    private int missing;

    AddCommit(
            FirestoreSchema schema,
            CounterShards shards,
            ShardRateLimiter limiter,
            TokenStore tokens,
            ActivityTracker activities,
            List<AddRequest> requests,
            Commit commit,
            Map<String, ShardCount> known) {
        this.schema = schema;
        this.shards = shards;
        this.limiter = limiter;
        this.tokens = tokens;
        this.activities = activities;
        this.requests = requests;
        this.commit = commit;
        this.counts = known;
    }

    /** Returns the sender of commits with token documents. */
    public static AddSender sender(
            FirestoreSchema schema,
            CounterShards shards,
            ShardRateLimiter limiter,
            TokenStore tokens,
            ActivityTracker activities) {
        return (requests, commit, known) ->
                new AddCommit(schema, shards, limiter, tokens, activities, requests, commit, known).send();
    }

    /**
     * Returns the limits of a batch. A process sends one transaction at a time, since several would only block each
     * other.
     */
    public static BatchLimits limits(FirestoreCounterOptions options) {
        return BatchLimits.ofWeight(MAX_WEIGHT)
                .withInFlight(options.writeStrategy() == WriteStrategy.TRANSACTION ? 1 : options.commitsInFlight());
    }

    CompletableFuture<List<Result<Void>>> send() {
        for (AddRequest request : requests) {
            IdempotencyToken token = request.token();
            tokenDocuments.put(
                    token == null ? commit.token() : token,
                    token == null ? TokenDocument.of(TokenDocument.Kind.ADDS, "") : TokenDocument.of(request));
            deltas.merge(request.name(), request.delta(), Math::addExact);
        }
        CompletableFuture<Map<String, ShardCount>> all = counts.keySet().containsAll(names())
                ? CompletableFuture.completedFuture(counts)
                : shards.of(names(), commit);
        return FirestoreErrors.orNotApplied(what(), all).thenCompose(found -> {
            setCounts(found);
            return refusals.isEmpty() ? attemptInTurn() : FirestoreErrors.orNotApplied(what(), answerRefused());
        });
    }

    private Set<String> names() {
        return deltas.keySet();
    }

    private String what() {
        return "adding to " + names();
    }

    /** Chooses the shards, and sends the commit when their rates allow it. Adds that arrive meanwhile are merged. */
    private CompletableFuture<List<Result<Void>>> attemptInTurn() {
        Map<String, ShardRateLimiter.Turn> turns = new HashMap<>();
        long most = commit.remaining().toNanos();
        for (String name : names()) {
            ShardRateLimiter.Turn turn = limiter.next(name, count(name).shards());
            turns.put(name, turn);
            if (turn.waitNanos() > most) {
                refusals.put(
                        name,
                        new ContentionException("adding to '" + name
                                + "': all shards have reached their rate of writes for longer than the deadline; give"
                                + " the counter more shards, or allow more writes to each; nothing was applied"));
            }
        }
        if (!refusals.isEmpty()) {
            turns.forEach(limiter::cancel);
            return FirestoreErrors.orNotApplied(what(), answerRefused());
        }
        long wait = 0;
        for (Map.Entry<String, ShardRateLimiter.Turn> turn : turns.entrySet()) {
            long waitNanos = turn.getValue().waitNanos();
            chosen.put(
                    turn.getKey(), schema.shard(turn.getKey(), turn.getValue().shard()));
            activities.sent(turn.getKey(), waitNanos);
            wait = Math.max(wait, waitNanos);
        }
        return wait == 0
                ? timedAttempt()
                : FirestoreErrors.orNotApplied(what(), schema.client().after(wait))
                        .thenCompose(waited -> timedAttempt());
    }

    private ShardCount count(String name) {
        return Objects.requireNonNull(counts.get(name));
    }

    private CompletableFuture<List<Result<Void>>> timedAttempt() {
        long start = System.nanoTime();
        return attempt().whenComplete((results, failure) -> activities.answered(names(), System.nanoTime() - start));
    }

    private CompletableFuture<List<Result<Void>>> attempt() {
        isSent = true;
        return Answer.orMissing(schema.client().commit(commit, names(), this::noteConflict, this::request))
                .thenCompose(answer -> {
                    if (answer.isApplied() && Boolean.FALSE.equals(answer.value())) {
                        return readCountsAndAttempt();
                    }
                    if (answer.isApplied()) {
                        rememberCreated();
                        return CompletableFuture.completedFuture(
                                Collections.nCopies(requests.size(), Result.applied()));
                    }
                    if (answer.problem() == StoreError.MISSING) {
                        isShardMissing = true;
                        // No pause after the first failure: the shard is new, or the counter is deleted or sealed.
                        return ++missing == 1
                                ? readCountsAndAttempt()
                                : schema.client().afterPause(commit, missing - 1, this::readCountsAndAttempt);
                    }
                    return tokens.read(tokenDocuments.keySet(), commit)
                            .thenCompose(found -> found.documents().isEmpty()
                                    ? readCountsAndAttempt() // another process created a counter, or a token is
                                    // elsewhere
                                    : CompletableFuture.completedFuture(
                                            answers().of(found.documents())));
                });
    }

    private void noteConflict() {
        activities.conflicted(names(), name -> count(name).shards());
    }

    private CompletableFuture<List<Result<Void>>> readCountsAndAttempt() {
        return shards.read(names(), commit).thenCompose(read -> {
            setCounts(read);
            return refusals.isEmpty() ? attempt() : answerRefused();
        });
    }

    private void setCounts(Map<String, ShardCount> read) {
        counts = read;
        counts.forEach((name, count) -> {
            CounterException refusal = count.refusal(name);
            if (refusal != null) {
                refusals.put(name, refusal);
            }
        });
    }

    /** Returns results without a commit if some of its counters cannot be changed, so that only their adds fail. */
    private CompletableFuture<List<Result<Void>>> answerRefused() {
        return answers().withoutCommit(refusals, isSent ? tokenDocuments.keySet() : null);
    }

    private AddAnswers answers() {
        return new AddAnswers(tokens, requests, commit);
    }

    private ApiFuture<?> request() {
        if (schema.options().writeStrategy() == WriteStrategy.TRANSACTION) {
            return new AddTransaction(schema, shards, deltas, chosen).attempt(commit, this::createTokens);
        }
        WriteBatch batch = schema.firestore().batch();
        createTokens(batch);
        CounterShards.Writes writes = shards.writes();
        deltas.forEach((name, delta) ->
                writes.add(name, count(name), Objects.requireNonNull(chosen.get(name)), delta, isShardMissing));
        writes.writeTo(batch);
        return batch.commit();
    }

    private void createTokens(UpdateBuilder<?> builder) {
        tokenDocuments.forEach((token, document) -> tokens.create(builder, token, document));
    }

    private void rememberCreated() {
        counts.forEach((name, count) -> {
            if (!count.isThere()) {
                shards.remember(name, ShardCount.written(count.shards(), null));
            }
        });
    }
}
