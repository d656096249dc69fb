package io.counterkit.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Origin;
import io.counterkit.spi.SequenceStore;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Counters and sequences on Google Cloud Firestore.
 *
 * <p>Counters are stored as in the published recipe of distributed counters (sharded documents, blind increments on a
 * random shard), so that its snippets in any language and this backend may share one. What the recipe does not do: each
 * commit creates a marker document first, so that it is applied once, however often the client or a caller repeats it.
 * A sequence is a chain of documents, each the unique create of the next number.
 *
 * <p>Everything runs on the client's threads and futures; none is blocked and none is made. Thread-safe.
 */
public final class FirestoreCounterBackend implements CounterBackend {
    private final FirestoreSchema schema;
    private final Tokens tokens;
    private final ShardCounts shardCounts;
    private final FirestoreSequences sequences;

    private FirestoreCounterBackend(Firestore firestore, FirestoreCounterOptions options) {
        this.schema = new FirestoreSchema(firestore, options);
        this.tokens = new Tokens(schema);
        this.shardCounts = new ShardCounts(schema);
        this.sequences = new FirestoreSequences(schema, tokens);
    }

    /** As {@link #create(Firestore, FirestoreCounterOptions)} with {@link FirestoreCounterOptions#defaults()}. */
    public static FirestoreCounterBackend create(Firestore firestore) {
        return create(firestore, FirestoreCounterOptions.defaults());
    }

    /**
     * A backend over a client that the application owns, configures and closes, after this; of any project and any
     * database. Nothing is sent yet.
     */
    public static FirestoreCounterBackend create(Firestore firestore, FirestoreCounterOptions options) {
        return new FirestoreCounterBackend(
                Objects.requireNonNull(firestore, "firestore"), Objects.requireNonNull(options, "options"));
    }

    /** {@link Capability#SEAL_SEQUENCES}: a sharded counter has no one place where it could be sealed. */
    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.SEAL_SEQUENCES);
    }

    @Override
    public CounterStore counters() {
        return new FirestoreCounters(schema, tokens, shardCounts);
    }

    @Override
    public SequenceStore sequences() {
        return sequences;
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable Origin origin, Call call) {
        return tokens.resolve(token, origin, call);
    }

    /** Does nothing: the client is the application's. */
    @Override
    public void close() {}
}
