package io.counterkit.firestore.internal.counter;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.UpdateBuilder;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.ContentionException;
import io.counterkit.IdempotencyToken;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.RetryingClient;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.counter.CounterShards.ShardCount;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.ArrayList;
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
import java.util.stream.Collectors;

/**
 * One commit of adds. It creates the token documents first, so that the store's answer is about them, and then writes one
 * increment for each counter. The shard of each counter is chosen once and stays the same in every attempt; only whether
 * documents have to be created may change.
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

    /** Returns the limits of one commit. Transactions of one process on the same shards would only block each other. */
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
        return FirestoreErrors.orNotApplied(what(), all).thenCompose(known -> {
            counts = known;
            return isAnySealed() ? FirestoreErrors.orNotApplied(what(), answerSealed()) : attemptInTurn();
        });
    }

    private Set<String> names() {
        return deltas.keySet();
    }

    private String what() {
        return "adding to " + names();
    }

    /** Chooses the shards, and sends the commit when they may be written to. Adds that wait are merged with later ones. */
    private CompletableFuture<List<Result<Void>>> attemptInTurn() {
        Map<String, Long> waits = new HashMap<>();
        for (String name : names()) {
            ShardRateLimiter.Turn turn = limiter.next(name, count(name).shards());
            chosen.put(name, schema.shard(name, turn.shard()));
            waits.put(name, turn.waitNanos());
        }
        long wait = Collections.max(waits.values());
        if (wait > commit.remaining().toNanos()) {
            return CompletableFuture.failedFuture(new ContentionException(what()
                    + ": all shards have reached their rate of writes for longer than the deadline; give the counter"
                    + " more shards, or allow more writes to each; nothing was applied"));
        }
        waits.forEach(activities::sent);
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
        return RetryingClient.orMissing(
                        schema.client().commit(commit, names(), () -> activities.conflicted(names()), this::request))
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
                        // No pause after the first time: the shard is new, or the counter is deleted or sealed.
                        return ++missing == 1
                                ? readCountsAndAttempt()
                                : schema.client().afterPause(commit, missing - 1, this::readCountsAndAttempt);
                    }
                    return tokens.read(tokenDocuments.keySet(), commit)
                            .thenCompose(found -> found.documents().isEmpty()
                                    ? readCountsAndAttempt() // another process created a counter, or a token is
                                    // elsewhere
                                    : CompletableFuture.completedFuture(resultsOf(found.documents())));
                });
    }

    private CompletableFuture<List<Result<Void>>> readCountsAndAttempt() {
        return shards.read(names(), commit).thenCompose(read -> {
            counts = read;
            return isAnySealed() ? answerSealed() : attempt();
        });
    }

    private boolean isAnySealed() {
        return counts.values().stream().anyMatch(count -> count.seal() != null);
    }

    /** Answers instead of a commit, which would fail from now on. An add from before the seal is known by its token. */
    private CompletableFuture<List<Result<Void>>> answerSealed() {
        Set<IdempotencyToken> used = isSent
                ? tokenDocuments.keySet()
                : requests.stream()
                        .map(AddRequest::token)
                        .filter(Objects::nonNull)
                        .collect(Collectors.toSet());
        return tokens.read(used, commit).thenApply(found -> resultsOf(found.documents()));
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

    /** Returns the results if a token or a seal exists, so that this commit was applied before or never will be. */
    private List<Result<Void>> resultsOf(Map<IdempotencyToken, TokenDocument> found) {
        List<Result<Void>> results = new ArrayList<>();
        for (AddRequest request : requests) {
            IdempotencyToken token = request.token();
            TokenDocument document = found.get(token == null ? commit.token() : token);
            CounterSeal seal = count(request.name()).seal();
            if (document == null) {
                results.add(
                        seal == null
                                ? Result.retry()
                                : Result.failed(new SealedException(request.name(), seal.seal())));
            } else if (token == null) {
                results.add(document.isVoid() ? Result.retry() : Result.applied());
            } else if (document.isFor(request)) {
                results.add(Result.applied());
            } else {
                results.add(Result.failed(new TokenRefusedException("add of " + request.delta() + " to '"
                        + request.name() + "': token " + token + " stands for " + document.resolution(null))));
            }
        }
        return results;
    }
}
