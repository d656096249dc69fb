package io.counterkit.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.UpdateBuilder;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.IdempotencyToken;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One commit of adds: the markers first, then one increment for each counter. What it adds where is fixed when it is
 * made; only whether the documents of a counter have to be made as well may change from one attempt to the next.
 */
final class AddCommit {
    /** How many documents of one commit are markers and shards. More would gain nothing, and lock more at once. */
    static final int MAX_WEIGHT = 500;

    private final FirestoreSchema schema;
    private final ShardCounts shardCounts;
    private final Tokens tokens;
    private final List<AddRequest> requests;
    private final Commit commit;
    private final Map<IdempotencyToken, Marker> markers = new LinkedHashMap<>();
    private final TreeMap<String, Long> deltas = new TreeMap<>();
    private final TreeMap<String, Integer> shards = new TreeMap<>();
    private Map<String, ShardCounts.ShardCount> counts = Map.of();
    private boolean isShardMissing;

    AddCommit(
            FirestoreSchema schema, ShardCounts shardCounts, Tokens tokens, List<AddRequest> requests, Commit commit) {
        this.schema = schema;
        this.shardCounts = shardCounts;
        this.tokens = tokens;
        this.requests = requests;
        this.commit = commit;
    }

    CompletableFuture<List<Result<Void>>> send() {
        for (AddRequest request : requests) {
            if (request.token() == null) {
                markers.putIfAbsent(commit.token(), Marker.of(Marker.Kind.ADDS, ""));
            }
        }
        for (AddRequest request : requests) {
            if (request.token() != null) {
                markers.put(request.token(), Marker.of(request));
            }
            deltas.merge(request.name(), request.delta(), Math::addExact);
        }
        return shardCounts
                .of(deltas.keySet(), commit)
                .exceptionally(failure -> {
                    throw FirestoreErrors.notApplied("adding to " + deltas.keySet(), failure);
                })
                .thenCompose(found -> {
                    counts = found;
                    deltas.keySet().forEach(name -> shards.put(name, anyOf(found.get(name))));
                    return attempt();
                });
    }

    private static int anyOf(ShardCounts.@Nullable ShardCount count) {
        return ThreadLocalRandom.current().nextInt(count == null ? 1 : count.shards());
    }

    private CompletableFuture<List<Result<Void>>> attempt() {
        return Sender.send(commit, deltas.keySet(), this::request).thenCompose(answer -> {
            if (answer.isApplied()) {
                counts.forEach((name, count) -> {
                    if (!count.isThere()) {
                        shardCounts.remember(name, new ShardCounts.ShardCount(count.shards(), true, null));
                    }
                });
                return CompletableFuture.completedFuture(Collections.nCopies(requests.size(), Result.applied()));
            }
            if (answer.problem() == StoreError.MISSING) {
                isShardMissing = true;
                return attemptAnew();
            }
            return tokens.read(List.copyOf(markers.keySet()), commit)
                    .thenCompose(found -> found.isEmpty()
                            ? attemptAnew() // another process has made the document of a counter meanwhile
                            : CompletableFuture.completedFuture(resultsOf(found)));
        });
    }

    private CompletableFuture<List<Result<Void>>> attemptAnew() {
        return shardCounts.read(List.copyOf(deltas.keySet()), commit).thenCompose(found -> {
            counts = found;
            return attempt();
        });
    }

    /** One of the markers is there, so this commit will never be applied, unless it was. */
    private List<Result<Void>> resultsOf(Map<IdempotencyToken, Marker> found) {
        List<Result<Void>> results = new ArrayList<>();
        for (AddRequest request : requests) {
            IdempotencyToken token = request.token();
            Marker marker = found.get(token == null ? commit.token() : token);
            if (marker == null) {
                results.add(Result.again());
            } else if (token == null) {
                results.add(marker.isVoid() ? Result.again() : Result.applied());
            } else if (marker.isFor(request)) {
                results.add(Result.applied());
            } else {
                results.add(Result.failed(new TokenRefusedException("add of " + request.delta() + " to '"
                        + request.name() + "': token " + token + " stands for " + marker.resolution(null))));
            }
        }
        return results;
    }

    private ApiFuture<?> request() {
        if (schema.options().writeStrategy() == WriteStrategy.TRANSACTION) {
            return new AddTransaction(schema, commit, markers, deltas, shards).request();
        }
        WriteBatch batch = schema.firestore().batch();
        markers.forEach((token, marker) -> batch.create(schema.marker(token), schema.markerDocument(token, marker)));
        writes().values().forEach(write -> write.accept(batch));
        return batch.commit();
    }

    /** What to write, in the order of paths, in which all commits take their locks. */
    private SortedMap<String, Consumer<UpdateBuilder<?>>> writes() {
        TreeMap<String, Consumer<UpdateBuilder<?>>> writes = new TreeMap<>();
        deltas.forEach((name, delta) -> {
            ShardCounts.ShardCount count = counts.get(name);
            DocumentReference shard = schema.shard(name, shards.getOrDefault(name, 0));
            if (count != null && count.isThere() && !isShardMissing) {
                // Not merged into a new document: where there is no shard, there may be no counter any more.
                writes.put(
                        shard.getPath(),
                        builder -> builder.update(shard, schema.options().countField(), FieldValue.increment(delta)));
                return;
            }
            CounterCreation creation = new CounterCreation(schema, name, count);
            creation.addTo(writes);
            writes.put(shard.getPath(), builder -> creation.increment(builder, shard, delta));
        });
        return writes;
    }
}
