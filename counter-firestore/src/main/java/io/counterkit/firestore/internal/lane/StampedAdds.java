package io.counterkit.firestore.internal.lane;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.firestore.Seeding;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.counter.AddSender;
import io.counterkit.firestore.internal.counter.CommitAdds;
import io.counterkit.firestore.internal.counter.CounterAdd;
import io.counterkit.firestore.internal.counter.CounterCache;
import io.counterkit.firestore.internal.stamp.StampPlace;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends adds with {@link io.counterkit.firestore.WriteStrategy#STAMP}. Prepares a commit: reads the counters that this process does not know, takes
 * a lane, and sets the place of the stamp as the mark of the commit's token. If one of these steps is not possible, the
 * commit creates a token document. Thread-safe.
 */
public final class StampedAdds implements AddSender {
    final FirestoreSchema schema;
    final CounterCache cache;
    final TokenStore tokens;
    final AddSender byDocuments;
    final Lanes lanes = new Lanes();

    /**
     * Creates the sender of a backend.
     *
     * @param byDocuments sends the adds that cannot be sent with a stamp
     */
    public StampedAdds(FirestoreSchema schema, CounterCache cache, TokenStore tokens, AddSender byDocuments) {
        this.schema = schema;
        this.cache = cache;
        this.tokens = tokens;
        this.byDocuments = byDocuments;
    }

    @Override
    public CompletableFuture<List<Result<Void>>> send(CommitAdds adds) {
        // If the token was generated already, a caller may resolve it without knowing the place.
        boolean needsDocument = adds.commit().isTokenMade()
                || adds.requests().stream().anyMatch(request -> request.token() != null)
                || (adds.all().size() > 1 && schema.options().seeding() == Seeding.ON_FIRST_USE)
                || adds.isAnyRefused()
                // A commit with a token document reads whether a flat collection holds shards.
                || (schema.layout().hasFlatShards() && !adds.unread().isEmpty());
        return needsDocument ? byDocuments.send(adds) : new Preparation(adds).run();
    }

    /** One commit before it is sent. */
    private final class Preparation {
        private final CommitAdds adds;

        Preparation(CommitAdds adds) {
            this.adds = adds;
        }

        CompletableFuture<List<Result<Void>>> run() {
            List<CounterAdd> unknown = adds.unread();
            Lane lane = take(unknown);
            Lane toRead = lane == null || lane.version() != null ? null : lane;
            if (unknown.isEmpty() && toRead == null) {
                return send(lane);
            }
            List<DocumentReference> references = new ArrayList<>();
            unknown.forEach(add -> references.add(schema.counter(add.name())));
            if (toRead != null) {
                references.add(adds.of(toRead.counter).shard());
            }
            CompletableFuture<Void> read = DocumentReads.byKey(schema, adds.commit(), references, Function.identity())
                    .thenAccept(found -> note(unknown, toRead, found));
            return FirestoreErrors.orNotApplied(adds.what(), read)
                    .whenComplete((done, failure) -> {
                        if (failure != null && lane != null) {
                            giveBack(lane);
                        }
                    })
                    .thenCompose(done -> send(lane));
        }

        private void note(
                List<CounterAdd> unknown, @Nullable Lane toRead, Map<DocumentReference, DocumentSnapshot> found) {
            unknown.forEach(add -> add.setCounter(
                    cache.noteRead(add.name(), Objects.requireNonNull(found.get(schema.counter(add.name()))))));
            if (toRead != null && hasShard(adds.of(toRead.counter), toRead.shard)) {
                toRead.read(
                        Objects.requireNonNull(found.get(adds.of(toRead.counter).shard())));
            }
        }

        /** Takes a lane that has the update time of its shard, or else a lane whose shard is read with the counters. */
        private @Nullable Lane take(List<CounterAdd> unknown) {
            for (CounterAdd add : adds.all()) {
                Lane lane = add.hasCounter() ? take(add, add.counter().shards(), true) : null;
                if (lane != null) {
                    return lane;
                }
            }
            CounterAdd any = unknown.isEmpty() ? adds.all().iterator().next() : unknown.get(0);
            return take(
                    any,
                    any.hasCounter() ? any.counter().shards() : schema.options().shards(),
                    false);
        }

        private @Nullable Lane take(CounterAdd add, int count, boolean known) {
            return lanes.tryTake(add.name(), count, known, shard -> add.tryReserve(schema, count, shard));
        }

        /**
         * Returns whether the counter has this shard, which was chosen before the shard count was known. A surplus
         * shard, from a larger count, may still exist.
         */
        private static boolean hasShard(CounterAdd add, int shard) {
            return isThere(add) && shard < add.counter().shards();
        }

        private static boolean isThere(CounterAdd add) {
            return add.counter().isThere() && add.counter().refusal(add.name()) == null;
        }

        private CompletableFuture<List<Result<Void>>> send(@Nullable Lane lane) {
            if (lane == null) {
                return byDocuments.send(adds);
            }
            if (lane.version() != null) {
                StampPlace place = new StampPlace(lane.counter, lane.shard, lane.version());
                List<CounterAdd> others = adds.all().stream()
                        .filter(add -> !add.name().equals(lane.counter))
                        .toList();
                if (tryReserve(others)) {
                    if (tryMark(place)) {
                        return new StampedCommit(StampedAdds.this, adds, lane, place).send();
                    }
                    others.forEach(CounterAdd::cancel);
                }
            }
            giveBack(lane);
            return byDocuments.send(adds);
        }

        private void giveBack(Lane lane) {
            adds.of(lane.counter).cancel();
            lanes.release(lane);
        }

        /** Reserves a shard for each add, or returns false and reserves none if a counter has reached its rate. */
        private boolean tryReserve(List<CounterAdd> others) {
            for (int i = 0; i < others.size(); i++) {
                CounterAdd add = others.get(i);
                if (!add.tryReserveAny(schema)) {
                    others.subList(0, i).forEach(CounterAdd::cancel);
                    return false;
                }
                lanes.forget(add.name(), add.shardNumber());
            }
            return true;
        }

        /** Sets the place as the mark of the token, if all counters exist and the token is not generated yet. */
        private boolean tryMark(StampPlace place) {
            String mark = place.mark(adds.all().size() == 1);
            return adds.all().stream().allMatch(add -> isThere(add) && StampPlace.fits(mark, add.name()))
                    && adds.commit().tryMark(mark);
        }
    }
}
