package io.counterkit.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
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
 * <p>All {@linkplain io.counterkit.Counter#watch watches} of a counter on one backend share a snapshot listener at its
 * document, up to 40 counters at a time, for as long as there is a watch; and what it hears of, the roll-ups of all
 * processes. When the newest is older than the shortest cadence, the shards are summed, once for all of them: each
 * cadence costs a process what a strong read costs, or less where others watch too. The document is read once for each
 * roll-up that is left, which happens at most every {@link FirestoreCounterOptions#rollupCadence()} and only if the total
 * has changed. A deletion or reset is seen as soon as the listener hears of it. Where listening fails, it is tried again
 * with pauses of 1 second to 1 minute, and watches go on by summing meanwhile.
 *
 * <p>Everything runs on the client's threads and futures, of which none is blocked, but for the bodies of
 * {@link #transact}. Timers are those of the JDK. Thread-safe.
 */
public final class FirestoreCounterBackend implements CounterBackend {
    private final FirestoreSchema schema;
    private final Tokens tokens;
    private final ShardCounts shardCounts;
    private final FirestoreCounters counters;
    private final FirestoreSequences sequences;

    private FirestoreCounterBackend(Firestore firestore, FirestoreCounterOptions options) {
        this.schema = new FirestoreSchema(firestore, options);
        this.tokens = new Tokens(schema);
        this.shardCounts = new ShardCounts(schema);
        this.counters = new FirestoreCounters(schema, tokens, shardCounts, options.paceFor(firestore));
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
        return counters;
    }

    @Override
    public SequenceStore sequences() {
        return sequences;
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable Origin origin, Call call) {
        return tokens.resolve(token, origin, call);
    }

    /**
     * Creates a counter with this many shards, all of them at once. The first definition wins: where the counter is there
     * with as many shards, those that are missing are made; where it has another number of them, nothing changes. No
     * count is ever set back. A counter that nobody creates is created by its first add.
     *
     * <p>Harmless to repeat. The future fails with {@link NotAppliedException} if the counter has another number of
     * shards, or if nothing was changed for another reason; with {@link OutcomeUnknownException} if that is open. Part of
     * a counter is never made.
     *
     * @throws IllegalArgumentException if the name is none, or the number is not 1 to 1,000
     */
    public CompletableFuture<Void> create(String name, int shards) {
        Limits.checkName("counter name", name);
        FirestoreCounterOptions.checkShards(shards);
        return new Definition(schema, tokens, name, shards, IdempotencyToken.random(), call()).define();
    }

    /**
     * Gives a counter another number of shards, up or down, while any number of processes write to it, snippets of the
     * published recipe included. Every add counts, also those of writers that do not know of it yet. The shards that are
     * too many after shrinking are emptied and stay: the recipe's snippets fail where a shard is missing.
     *
     * <p>Harmless to repeat, and to be repeated if the future fails: the total is right at every step, and the next run
     * completes what the last one left. The future fails with {@link NotAppliedException} if there is no such counter or
     * nothing was sent; with {@link io.counterkit.OutcomeUnknownException} if the store did not say how far it came.
     *
     * @throws IllegalArgumentException if the name is none, or the number is not 1 to 1,000
     */
    public CompletableFuture<Void> reshard(String name, int shards) {
        Limits.checkName("counter name", name);
        FirestoreCounterOptions.checkShards(shards);
        return new Resharding(schema, shardCounts, name, shards, IdempotencyToken.random(), call()).run();
    }

    /**
     * The shards of a counter as they are now, foreign ones and those that hold no number included: what a total hides.
     * Costs a read for each shard. The future fails with {@link NotAppliedException} if they cannot be read.
     *
     * @throws IllegalArgumentException if the name is none
     */
    public CompletableFuture<CounterDescription> describe(String name) {
        return CounterDescription.read(schema, Limits.checkName("counter name", name), call())
                .exceptionally(failure -> {
                    throw FirestoreErrors.notRead("describing '" + name + "'", failure);
                });
    }

    /**
     * Applies the application's own reads and writes, adds to counters and appends to sequences in one transaction, once
     * for each token: a body that is run again, a client that repeats a commit and a caller who repeats the whole call
     * change nothing more. A transaction that is given up leaves no trace.
     *
     * <p>The body runs on a thread of its own, perhaps several times; what it does besides the transaction should be
     * harmless to repeat. Appends keep others from the sequence until the transaction is committed, or else cost it a
     * repetition, so an application that appends much should append outside and pass the number on.
     *
     * <p>The future fails with what the body throws, if it throws; with {@link io.counterkit.TokenRefusedException} if the
     * token stands for something else; with another {@link NotAppliedException} if nothing was applied; with
     * {@link OutcomeUnknownException} if that is open: calling again with the same token, or resolving it,
     * decides. The token is remembered for {@link FirestoreCounterOptions#retention()}.
     *
     * @return what was appended, the same each time
     * @throws IllegalArgumentException if the token is one that CounterKit has made
     */
    public CompletableFuture<Transacted> transact(IdempotencyToken token, TransactionBody body) {
        if (token.value().startsWith(Commit.MINTED)) {
            throw new IllegalArgumentException("token '" + token + "' starts with '" + Commit.MINTED
                    + "' like those that CounterKit makes: let yours start with something else");
        }
        return new TransactionRun(schema, sequences, shardCounts, token, body, call()).run();
    }

    private Call call() {
        return new Call(schema.options().deadline(), CountersListener.disabled());
    }

    /** Ends the watches; the client is the application's. */
    @Override
    public void close() {
        counters.close();
    }
}
