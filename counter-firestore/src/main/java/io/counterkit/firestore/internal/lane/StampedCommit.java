package io.counterkit.firestore.internal.lane;

import com.google.api.core.ApiFuture;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.WriteBatch;
import com.google.cloud.firestore.WriteResult;
import io.counterkit.firestore.internal.client.Answer;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.stamp.StampPlace;
import io.counterkit.firestore.internal.stamp.Stamps;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * One commit of adds with a stamp. It is applied only while the shard of its {@link StampPlace} has the update time of
 * the place, and each attempt sends the same commit, so it is applied at most once.
 *
 * <p>After any answer except success, the shard is read. If it has the stamp, the commit was applied. If it has another
 * update time and no stamp, the commit never will be, and the adds are sent in another commit: with a stamp at the new
 * update time if the token is not generated yet, otherwise with a token document. If the update time is unchanged, the
 * shard is touched to change it, since a copy of the commit may still arrive.
 */
final class StampedCommit {
    private final StampedAdds adds;
    private final FirestoreSchema schema;
    private final List<AddRequest> requests;
    private final Commit commit;
    private final SortedMap<String, Long> deltas;
    private final Lane lane;
    private final StampPlace place;
    private final DocumentReference shard;
    private final SortedMap<String, DocumentReference> inOrder = new TreeMap<>();
    private final Map<String, DocumentReference> others;
    private final Map<DocumentReference, Long> deltaOf = new HashMap<>();
    private final Map<String, Object> stamp;
    private volatile long start;
    private volatile boolean isReleased;

    StampedCommit(
            StampedAdds adds,
            List<AddRequest> requests,
            Commit commit,
            SortedMap<String, Long> deltas,
            Lane lane,
            StampPlace place,
            Map<String, DocumentReference> others) {
        this.adds = adds;
        this.schema = adds.schema;
        this.requests = requests;
        this.commit = commit;
        this.deltas = deltas;
        this.lane = lane;
        this.place = place;
        this.shard = schema.shard(lane.counter, lane.shard);
        inOrder.put(shard.getPath(), shard);
        this.others = others;
        others.forEach((name, document) -> {
            inOrder.put(document.getPath(), document);
            deltaOf.put(document, Objects.requireNonNull(deltas.get(name)));
        });
        stamp = new HashMap<>(Stamps.removing(lane.expired()));
        stamp.putAll(Stamps.stamping(lane.id(), commit.id(), schema.options().retention()));
        stamp.put(schema.layout().countField(), FieldValue.increment(Objects.requireNonNull(deltas.get(lane.counter))));
    }

    CompletableFuture<List<Result<Void>>> send() {
        start = System.nanoTime();
        return attempt().whenComplete((results, failure) -> {
            if (!isReleased) {
                adds.lanes.discard(lane); // a copy may still be in flight, and its stamp must stay
            }
        });
    }

    private CompletableFuture<List<Result<Void>>> attempt() {
        return Answer.orMissing(schema.client()
                        .commit(
                                commit,
                                deltas.keySet(),
                                () -> adds.activities.conflicted(deltas.keySet(), adds::shardCount),
                                this::request))
                .thenCompose(answer -> answer.isApplied()
                        ? CompletableFuture.completedFuture(applied(updateTime(Objects.requireNonNull(answer.value()))))
                        : readShard());
    }

    /** Takes the locks in the order of paths, as all commits do. */
    private ApiFuture<List<WriteResult>> request() {
        WriteBatch batch = schema.firestore().batch();
        inOrder.values().forEach(document -> {
            Long delta = deltaOf.get(document);
            if (delta == null) {
                batch.update(document, stamp, Precondition.updatedAt(place.before()));
            } else {
                batch.update(document, schema.layout().countField(), FieldValue.increment(delta));
            }
        });
        return batch.commit();
    }

    private Timestamp updateTime(List<WriteResult> results) {
        int index = new ArrayList<>(inOrder.keySet()).indexOf(shard.getPath());
        return results.get(index).getUpdateTime();
    }

    /**
     * Settles the commit. A caller that leaves from now on gets a token that states that. If a caller has already left
     * with a token, the stamp must stay.
     */
    private List<Result<Void>> applied(Timestamp now) {
        boolean isSettled = commit.tryMark(StampPlace.APPLIED);
        lane.applied(commit.id(), now, isSettled);
        release();
        deltas.keySet().forEach(name -> adds.activities.sent(name, 0));
        adds.activities.answered(deltas.keySet(), System.nanoTime() - start);
        return Collections.nCopies(requests.size(), Result.applied());
    }

    private void release() {
        isReleased = true;
        adds.lanes.release(lane);
    }

    private CompletableFuture<List<Result<Void>>> readShard() {
        return schema.client().read(commit, shard::get).thenCompose(document -> {
            if (Stamps.of(document).contains(commit.id())) {
                return CompletableFuture.completedFuture(applied(Objects.requireNonNull(document.getUpdateTime())));
            }
            if (!document.exists() || isOfALaterLife(document)) {
                return readToken();
            }
            if (place.before().equals(document.getUpdateTime())) {
                return touch();
            }
            if (lane.isWiped(schema, document)) {
                boolean unused = commit.tryMark(StampPlace.LOST); // so that no resolution returns "not applied"
                throw new IllegalStateException("the field '" + Stamps.FIELD + "' of '" + shard.getPath()
                        + "' was removed by other software, so it is unknown whether the add was applied");
            }
            return overtaken(document);
        });
    }

    /** Returns whether the shard was deleted and created again. */
    private boolean isOfALaterLife(DocumentSnapshot document) {
        return Objects.requireNonNull(document.getCreateTime()).compareTo(place.before()) > 0;
    }

    /** Reads the token document, which the deletion of a shard creates for each of its stamps. */
    private CompletableFuture<List<Result<Void>>> readToken() {
        return adds.tokens.read(List.of(commit.token()), commit).thenCompose(found -> {
            TokenDocument document = found.get(commit.token());
            if (document == null) {
                return useDocument();
            }
            lane.forget();
            release();
            Result<Void> result = document.isVoid() ? Result.retry() : Result.applied();
            return CompletableFuture.completedFuture(Collections.nCopies(requests.size(), result));
        });
    }

    /** Ensures that no copy of the commit is applied later. */
    private CompletableFuture<List<Result<Void>>> touch() {
        return Answer.orMissing(schema.client()
                        .commit(
                                commit,
                                deltas.keySet(),
                                () -> schema.firestore()
                                        .batch()
                                        .update(shard, Stamps.touching(), Precondition.updatedAt(place.before()))
                                        .commit()))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(new IllegalStateException(
                        "whether the add was applied could not be found out: " + Reasons.of(failure), failure)))
                .thenCompose(answer -> answer.isApplied() ? useDocument() : readShard());
    }

    /**
     * Sends the adds again, for the update time that was just read. If the token is generated already, it contains the
     * first place, so the adds need a token document.
     */
    private CompletableFuture<List<Result<Void>>> overtaken(DocumentSnapshot document) {
        String newest = Stamps.of(document).newestLane();
        boolean isToMove = newest != null && lane.id().compareTo(newest) > 0;
        lane.overtaken();
        lane.read(document);
        if (isToMove) {
            adds.lanes.discard(lane);
            adds.lanes.move(lane.counter); // only one of the two writers moves, or both would collide again
        }
        Timestamp version = lane.isWorthTrying() ? lane.version() : null;
        if (version != null) {
            StampPlace next = new StampPlace(lane.counter, lane.shard, version);
            if (commit.tryMark(next.mark(deltas.size() == 1))) {
                isReleased = true;
                return new StampedCommit(adds, requests, commit, deltas, lane, next, others).send();
            }
        }
        release();
        return adds.byDocuments.send(requests, commit, Map.of());
    }

    private CompletableFuture<List<Result<Void>>> useDocument() {
        lane.forget();
        release();
        return adds.byDocuments.send(requests, commit, Map.of());
    }
}
