package io.counterkit.firestore.internal.counter;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.ContentionException;
import io.counterkit.IdempotencyToken;
import io.counterkit.TokenRefusedException;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One commit of adds: the markers first, so that the store's answer is about them, then one increment for each counter.
 */
public final class AddCommit {
    /** How many documents of one commit are markers and shards. More would gain nothing, and lock more at once. */
    public static final int MAX_WEIGHT = 500;

    private final FirestoreSchema schema;
    private final ShardCounts shardCounts;
    private final ShardRateLimiter pace;
    private final TokenStore tokens;
    private final ActivityTracker activities;
    private final List<AddRequest> requests;
    private final Commit commit;
    private final Map<IdempotencyToken, TokenDocument> markers = new LinkedHashMap<>();

    AddCommit(
            FirestoreSchema schema,
            ShardCounts shardCounts,
            ShardRateLimiter pace,
            TokenStore tokens,
            ActivityTracker activities,
            List<AddRequest> requests,
            Commit commit) {
        this.schema = schema;
        this.shardCounts = shardCounts;
        this.pace = pace;
        this.tokens = tokens;
        this.activities = activities;
        this.requests = requests;
        this.commit = commit;
    }

    CompletableFuture<List<Result<Void>>> send() {
        TreeMap<String, Long> deltas = new TreeMap<>();
        for (AddRequest request : requests) {
            if (request.token() == null) {
                markers.put(commit.token(), TokenDocument.of(TokenDocument.Kind.ADDS, ""));
            } else {
                markers.put(request.token(), TokenDocument.of(request));
            }
            deltas.merge(request.name(), request.delta(), Math::addExact);
        }
        return shardCounts
                .of(deltas.keySet(), commit)
                .exceptionally(failure -> {
                    throw FirestoreErrors.notApplied("adding to " + deltas.keySet(), failure);
                })
                .thenCompose(counts -> attemptInTurn(new AddWrites(schema, pace, deltas, counts)));
    }

    /** Callers do not wait for the pace of the shards, their adds do, and are merged meanwhile with those that follow. */
    private CompletableFuture<List<Result<Void>>> attemptInTurn(AddWrites writes) {
        if (writes.waitNanos() > commit.remaining().toNanos()) {
            return CompletableFuture.failedFuture(new ContentionException("adding to "
                    + writes.deltas().keySet()
                    + ": all shards are written to as often as they may be for longer than the"
                    + " deadline; give the counter more shards, or allow more writes to each; nothing was applied"));
        }
        writes.waits().forEach(activities::sent);
        return writes.waitNanos() == 0 ? timed(writes) : awaitTurn(writes).thenCompose(turn -> timed(writes));
    }

    /** Fails if the backend is closed meanwhile: nothing has been sent then. */
    private CompletableFuture<@Nullable Void> awaitTurn(AddWrites writes) {
        return schema.requests()
                .<@Nullable Void>after(writes.waitNanos(), () -> CompletableFuture.completedFuture(null))
                .exceptionally(failure -> {
                    throw FirestoreErrors.notApplied(
                            "adding to " + writes.deltas().keySet(), failure);
                });
    }

    private CompletableFuture<List<Result<Void>>> timed(AddWrites writes) {
        long start = System.nanoTime();
        return attempt(writes)
                .whenComplete((results, failure) ->
                        activities.answered(writes.deltas().keySet(), System.nanoTime() - start));
    }

    private CompletableFuture<List<Result<Void>>> attempt(AddWrites writes) {
        Set<String> names = writes.deltas().keySet();
        return schema.sender()
                .send(commit, names, () -> activities.conflicted(names), () -> request(writes))
                .thenCompose(answer -> {
                    if (answer.isApplied()) {
                        writes.rememberIn(shardCounts);
                        return CompletableFuture.completedFuture(
                                Collections.nCopies(requests.size(), Result.applied()));
                    }
                    if (answer.problem() == StoreError.MISSING) {
                        writes.makeShards();
                        return attemptAnew(writes);
                    }
                    return tokens.read(List.copyOf(markers.keySet()), commit)
                            .thenCompose(found -> found.markers().isEmpty()
                                    ? attemptAnew(writes) // another process has made a counter, or its place is another
                                    : CompletableFuture.completedFuture(resultsOf(found.markers())));
                });
    }

    private CompletableFuture<List<Result<Void>>> attemptAnew(AddWrites writes) {
        return shardCounts.read(List.copyOf(writes.deltas().keySet()), commit).thenCompose(counts -> {
            writes.update(counts);
            return attempt(writes);
        });
    }

    private ApiFuture<?> request(AddWrites writes) {
        if (schema.options().writeStrategy() == WriteStrategy.TRANSACTION) {
            return new AddTransaction(schema, tokens, commit, markers, writes).request();
        }
        WriteBatch batch = schema.firestore().batch();
        markers.forEach((token, marker) -> tokens.create(batch, token, marker));
        writes.writeTo(batch);
        return batch.commit();
    }

    /** One of the markers is there, so this commit will never be applied, unless it was. */
    private List<Result<Void>> resultsOf(Map<IdempotencyToken, TokenDocument> found) {
        List<Result<Void>> results = new ArrayList<>();
        for (AddRequest request : requests) {
            IdempotencyToken token = request.token();
            TokenDocument marker = found.get(token == null ? commit.token() : token);
            if (marker == null) {
                results.add(Result.retry());
            } else if (token == null) {
                results.add(marker.isVoid() ? Result.retry() : Result.applied());
            } else if (marker.isFor(request)) {
                results.add(Result.applied());
            } else {
                results.add(Result.failed(new TokenRefusedException("add of " + request.delta() + " to '"
                        + request.name() + "': token " + token + " stands for " + marker.resolution(null))));
            }
        }
        return results;
    }

    /** Transactions of one process on the same shards would only stop each other. */
    public static BatchLimits limits(FirestoreCounterOptions options) {
        return BatchLimits.ofWeight(MAX_WEIGHT)
                .withInFlight(options.writeStrategy() == WriteStrategy.TRANSACTION ? 1 : options.commitsInFlight());
    }
}
