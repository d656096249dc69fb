package io.counterkit.firestore.internal.lane;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.Seeding;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.counter.ActivityTracker;
import io.counterkit.firestore.internal.counter.AddSender;
import io.counterkit.firestore.internal.counter.CounterShards;
import io.counterkit.firestore.internal.counter.CounterShards.ShardCount;
import io.counterkit.firestore.internal.counter.ShardRateLimiter;
import io.counterkit.firestore.internal.stamp.StampPlace;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adds by {@link io.counterkit.firestore.WriteStrategy#STAMP}. Prepares a commit: finds the shard counts, takes a lane,
 * and sets the place of the stamp as the mark of the commit's token. If one of these steps is not possible, the commit
 * creates a token document. Thread-safe.
 */
public final class StampedAdds implements AddSender {
    final FirestoreSchema schema;
    final TokenStore tokens;
    final ActivityTracker activities;
    final AddSender byDocuments;
    final Lanes lanes = new Lanes();
    private final CounterShards shards;
    private final ShardRateLimiter limiter;

    /**
     * Creates the sender of a backend.
     *
     * @param byDocuments sends the adds that cannot be sent with a stamp
     */
    public StampedAdds(
            FirestoreSchema schema,
            CounterShards shards,
            TokenStore tokens,
            ShardRateLimiter limiter,
            ActivityTracker activities,
            AddSender byDocuments) {
        this.schema = schema;
        this.shards = shards;
        this.tokens = tokens;
        this.limiter = limiter;
        this.activities = activities;
        this.byDocuments = byDocuments;
    }

    @Override
    public CompletableFuture<List<Result<Void>>> send(
            List<AddRequest> requests, Commit commit, Map<String, ShardCount> known) {
        SortedMap<String, Long> deltas = new TreeMap<>();
        requests.forEach(request -> deltas.merge(request.name(), request.delta(), Math::addExact));
        // If the token was generated already, a caller may resolve it without knowing the place.
        boolean needsDocument = commit.isTokenMade()
                || requests.stream().anyMatch(request -> request.token() != null)
                || (deltas.size() > 1 && schema.options().seeding() == Seeding.ON_FIRST_USE)
                || !deltas.keySet().stream().allMatch(this::hasShards)
                // A commit with a token document reads whether a flat collection holds shards.
                || (schema.layout().hasFlatShards()
                        && deltas.keySet().stream().anyMatch(name -> shards.remembered(name) == null));
        return needsDocument
                ? byDocuments.send(requests, commit, known)
                : new Preparation(requests, commit, deltas).run();
    }

    int shardCount(String name) {
        Integer known = shards.known(name);
        return known == null ? schema.options().shards() : known;
    }

    /** Returns whether a name can have shards. If not, a commit with a token document reports it. */
    private boolean hasShards(String name) {
        try {
            return !schema.shards(name).getId().isEmpty();
        } catch (NotAppliedException e) {
            return false;
        }
    }

    /** One commit before it is sent. */
    private final class Preparation {
        private final List<AddRequest> requests;
        private final Commit commit;
        private final SortedMap<String, Long> deltas;
        private final Map<String, ShardCount> counts = new TreeMap<>();
        private final Map<String, Integer> reserved = new HashMap<>();

        Preparation(List<AddRequest> requests, Commit commit, SortedMap<String, Long> deltas) {
            this.requests = requests;
            this.commit = commit;
            this.deltas = deltas;
        }

        CompletableFuture<List<Result<Void>>> run() {
            List<String> unknown = new ArrayList<>();
            for (String name : deltas.keySet()) {
                ShardCount count = shards.remembered(name);
                if (count == null) {
                    unknown.add(name);
                } else {
                    counts.put(name, count);
                }
            }
            Lane lane = take(unknown);
            if (unknown.isEmpty() && (lane == null || lane.version() != null)) {
                return send(lane);
            }
            List<DocumentReference> references = new ArrayList<>();
            unknown.forEach(name -> references.add(schema.counter(name)));
            DocumentReference shard =
                    lane == null || lane.version() != null ? null : schema.shard(lane.counter, lane.shard);
            if (shard != null) {
                references.add(shard);
            }
            CompletableFuture<Void> read = DocumentReads.byKey(schema, commit, references, Function.identity())
                    .thenAccept(found -> note(unknown, lane, shard, found));
            return FirestoreErrors.orNotApplied("adding to " + deltas.keySet(), read)
                    .whenComplete((done, failure) -> {
                        if (failure != null && lane != null) {
                            lanes.release(lane);
                        }
                    })
                    .thenCompose(done -> send(lane));
        }

        private void note(
                List<String> unknown,
                @Nullable Lane lane,
                @Nullable DocumentReference shard,
                Map<DocumentReference, DocumentSnapshot> found) {
            unknown.forEach(name ->
                    counts.put(name, shards.noteRead(name, Objects.requireNonNull(found.get(schema.counter(name))))));
            DocumentSnapshot document = shard == null ? null : found.get(shard);
            if (lane != null && document != null && isThere(lane.counter)) {
                lane.read(document);
            }
        }

        /** Takes a lane that has the update time of its shard, or else a lane whose shard is read with the counters. */
        private @Nullable Lane take(List<String> unknown) {
            for (Map.Entry<String, ShardCount> known : counts.entrySet()) {
                Lane lane = take(known.getKey(), known.getValue().shards(), true);
                if (lane != null) {
                    return lane;
                }
            }
            String name = unknown.isEmpty() ? deltas.firstKey() : unknown.get(0);
            ShardCount count = counts.get(name);
            return take(name, count == null ? schema.options().shards() : count.shards(), false);
        }

        private @Nullable Lane take(String name, int count, boolean known) {
            return lanes.tryTake(name, count, known, shard -> limiter.tryReserve(name, count, shard));
        }

        private boolean isThere(String name) {
            ShardCount count = counts.get(name);
            return count != null && count.isThere() && count.refusal(name) == null;
        }

        private CompletableFuture<List<Result<Void>>> send(@Nullable Lane lane) {
            if (lane != null && lane.version() != null) {
                StampPlace place = new StampPlace(lane.counter, lane.shard, lane.version());
                Map<String, DocumentReference> others = tryReserveOthers(lane);
                if (others != null && isPossible(place)) {
                    return new StampedCommit(StampedAdds.this, requests, commit, deltas, lane, place, others).send();
                }
                cancel(others);
            }
            if (lane != null) {
                limiter.cancel(lane.counter, lane.shard);
                lanes.release(lane);
            }
            return byDocuments.send(requests, commit, counts);
        }

        /** Reserves a shard of each other counter, or returns null if one of them has reached its rate. */
        private @Nullable Map<String, DocumentReference> tryReserveOthers(Lane lane) {
            Map<String, DocumentReference> others = new HashMap<>();
            for (String name : deltas.keySet()) {
                if (!name.equals(lane.counter)) {
                    int shard = limiter.tryReserveAny(
                            name, Objects.requireNonNull(counts.get(name)).shards());
                    if (shard < 0) {
                        cancel(others);
                        return null;
                    }
                    reserved.put(name, shard);
                    lanes.forget(name, shard);
                    others.put(name, schema.shard(name, shard));
                }
            }
            return others;
        }

        private void cancel(@Nullable Map<String, DocumentReference> others) {
            if (others != null) {
                others.keySet().forEach(name -> limiter.cancel(name, Objects.requireNonNull(reserved.get(name))));
            }
        }

        /** Sets the place as the mark of the token, if all counters exist and the token is not generated yet. */
        private boolean isPossible(StampPlace place) {
            String mark = place.mark(deltas.size() == 1);
            return deltas.keySet().stream().allMatch(name -> isThere(name) && StampPlace.fits(mark, name))
                    && commit.tryMark(mark);
        }
    }
}
