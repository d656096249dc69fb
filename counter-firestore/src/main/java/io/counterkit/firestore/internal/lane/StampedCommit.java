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
import io.counterkit.firestore.internal.counter.CommitAdds;
import io.counterkit.firestore.internal.counter.CounterAdd;
import io.counterkit.firestore.internal.stamp.StampPlace;
import io.counterkit.firestore.internal.stamp.Stamps;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Result;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * One commit of adds with a stamp. It is applied only while the shard of its {@link StampPlace} has the update time of
 * the place, and each attempt sends the same commit, so it is applied at most once.
 *
 * <p>After any answer except success, the shard is read. If it has the stamp, the commit was applied. If it has another
 * update time and no stamp, the commit will never be applied, and the adds are sent in another commit. That commit has
 * a stamp at the new update time if the token is not generated yet, and a token document otherwise. If the update time
 * is unchanged, the shard is touched to change it, since a copy of the commit may still arrive.
 */
final class StampedCommit {
    private final StampedAdds sender;
    private final FirestoreSchema schema;
    private final CommitAdds adds;
    private final Commit commit;
    private final Lane lane;
    private final StampPlace place;
    private final CounterAdd stamped;
    private final DocumentReference shard;
    private final List<CounterAdd> inOrder;
    private final Map<String, Object> stamp;
    private volatile long start;
    private volatile boolean isReleased;

    /**
     * Creates a commit.
     *
     * @param lane a lane that this commit has taken, for the shard of its counter
     */
    StampedCommit(StampedAdds sender, CommitAdds adds, Lane lane, StampPlace place) {
        this.sender = sender;
        this.schema = sender.schema;
        this.adds = adds;
        this.commit = adds.commit();
        this.lane = lane;
        this.place = place;
        this.stamped = adds.of(lane.counter);
        this.shard = stamped.shard();
        // All commits take their locks in the order of paths.
        inOrder = adds.all().stream()
                .sorted(Comparator.comparing(add -> add.shard().getPath()))
                .toList();
        stamp = new HashMap<>(Stamps.removing(lane.expired()));
        stamp.putAll(Stamps.stamping(lane.id(), commit.id(), schema.options().retention()));
        stamp.put(schema.layout().countField(), FieldValue.increment(stamped.delta()));
    }

    CompletableFuture<List<Result<Void>>> send() {
        start = System.nanoTime();
        return attempt().whenComplete((results, failure) -> {
            if (!isReleased) {
                sender.lanes.discard(lane); // a copy may still be in flight, and its stamp must stay
            }
        });
    }

    private CompletableFuture<List<Result<Void>>> attempt() {
        return Answer.orMissing(schema.client().commit(commit, adds.names(), adds::conflicted, this::request, 1))
                .thenCompose(answer -> answer.isApplied()
                        ? CompletableFuture.completedFuture(applied(updateTime(Objects.requireNonNull(answer.value()))))
                        : readShard());
    }

    private ApiFuture<List<WriteResult>> request() {
        WriteBatch batch = schema.firestore().batch();
        for (CounterAdd add : inOrder) {
            if (add == stamped) {
                batch.update(shard, stamp, Precondition.updatedAt(place.before()));
            } else {
                batch.update(add.shard(), schema.countPath(), FieldValue.increment(add.delta()));
            }
        }
        return batch.commit();
    }

    private Timestamp updateTime(List<WriteResult> results) {
        return results.get(inOrder.indexOf(stamped)).getUpdateTime();
    }

    /**
     * Settles the commit. The token of a caller that leaves from now on states that the commit was applied. If a caller
     * has already left with a token, the stamp must stay.
     */
    private List<Result<Void>> applied(Timestamp now) {
        boolean isSettled = commit.tryMark(StampPlace.APPLIED);
        lane.applied(commit.id(), now, isSettled);
        release();
        adds.sent();
        adds.answered(System.nanoTime() - start);
        return Collections.nCopies(adds.requests().size(), Result.applied());
    }

    private void release() {
        isReleased = true;
        sender.lanes.release(lane);
    }

    private CompletableFuture<List<Result<Void>>> readShard() {
        return schema.client().read(commit, shard::get).thenCompose(document -> {
            if (Stamps.of(document).contains(commit.id())) {
                return CompletableFuture.completedFuture(applied(Objects.requireNonNull(document.getUpdateTime())));
            }
            if (!document.exists() || isRecreated(document)) {
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
    private boolean isRecreated(DocumentSnapshot document) {
        return Objects.requireNonNull(document.getCreateTime()).compareTo(place.before()) > 0;
    }

    /** Reads the token document, which the deletion of a shard creates for each of its stamps. */
    private CompletableFuture<List<Result<Void>>> readToken() {
        return sender.tokens.read(List.of(commit.token()), commit).thenCompose(found -> {
            TokenDocument document = found.get(commit.token());
            if (document == null) {
                return useDocument();
            }
            lane.forget();
            release();
            Result<Void> result = document.isVoid() ? Result.retry() : Result.applied();
            return CompletableFuture.completedFuture(
                    Collections.nCopies(adds.requests().size(), result));
        });
    }

    /** Ensures that no copy of the commit is applied later. */
    private CompletableFuture<List<Result<Void>>> touch() {
        return Answer.orMissing(schema.client()
                        .commit(
                                commit,
                                adds.names(),
                                () -> schema.firestore()
                                        .batch()
                                        .update(shard, Stamps.touching(), Precondition.updatedAt(place.before()))
                                        .commit()))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(new IllegalStateException(
                        "it could not be determined whether the add was applied: " + Reasons.of(failure), failure)))
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
            sender.lanes.discard(lane);
            sender.lanes.move(lane.counter); // only one of the two writers moves, or both would collide again
        }
        Timestamp version = lane.isWorthTrying() ? lane.version() : null;
        if (version != null) {
            StampPlace next = new StampPlace(lane.counter, lane.shard, version);
            if (commit.tryMark(next.mark(inOrder.size() == 1))) {
                isReleased = true;
                return new StampedCommit(sender, adds, lane, next).send();
            }
        }
        return sendByDocument();
    }

    private CompletableFuture<List<Result<Void>>> useDocument() {
        lane.forget();
        return sendByDocument();
    }

    private CompletableFuture<List<Result<Void>>> sendByDocument() {
        release();
        adds.recallCounters(sender.cache);
        return sender.byDocuments.send(adds);
    }
}
