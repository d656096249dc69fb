package io.counterkit.firestore.internal.sequence;

import io.counterkit.Tail;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.Listening;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The followed sequences of this process. A sequence keeps its listener for a while after its last follower, as a counter
 * does after its last watch. Thread-safe.
 */
final class SequenceWatches {
    private final FirestoreSchema schema;
    private final ConcurrentMap<String, SequenceWatch> followed = new ConcurrentHashMap<>();

    SequenceWatches(FirestoreSchema schema) {
        this.schema = schema;
    }

    /** Reports the entries after the next tail that is {@link #seen}. */
    Listening listen(String sequence, Runnable changed) {
        SequenceWatch watch = followed.compute(sequence, (name, known) -> {
            SequenceWatch joined = known == null ? new SequenceWatch(name, schema) : known;
            joined.join(changed);
            return joined;
        });
        AtomicBoolean isClosed = new AtomicBoolean();
        return new Listening() {
            @Override
            public boolean isLive() {
                return watch.isLive();
            }

            @Override
            public void close() {
                if (!isClosed.getAndSet(true)) {
                    leave(sequence, watch, changed);
                }
            }
        };
    }

    private void leave(String sequence, SequenceWatch watch, Runnable changed) {
        long event = watch.leave(changed);
        CompletableFuture<?> unused = schema.client()
                .timer(schema.options().listenerLinger().toNanos(), () -> endIfUnusedSince(event, sequence, watch));
    }

    private void endIfUnusedSince(long event, String sequence, SequenceWatch watch) {
        followed.computeIfPresent(sequence, (name, known) -> {
            if (known != watch || !watch.isUnusedSince(event)) {
                return known;
            }
            watch.stop();
            return null;
        });
    }

    /** Listens after a tail that was read, if the sequence is followed. Returns the tail. */
    Tail seen(String sequence, Tail tail) {
        SequenceWatch watch = followed.get(sequence);
        if (watch != null) {
            watch.seen(tail);
        }
        return tail;
    }

    /** Ends all listeners. */
    void close() {
        followed.values().forEach(SequenceWatch::stop);
        followed.clear();
    }
}
