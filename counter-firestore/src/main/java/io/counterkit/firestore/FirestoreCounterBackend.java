package io.counterkit.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreClock;
import io.counterkit.firestore.internal.counter.CounterDescriber;
import io.counterkit.firestore.internal.counter.Definition;
import io.counterkit.firestore.internal.counter.FirestoreCounters;
import io.counterkit.firestore.internal.counter.Resharding;
import io.counterkit.firestore.internal.counter.ShardCounts;
import io.counterkit.firestore.internal.counter.ShardRateLimiter;
import io.counterkit.firestore.internal.migration.FirestoreMigration;
import io.counterkit.firestore.internal.sequence.FirestoreSequences;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.firestore.internal.transaction.TransactionRun;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
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
 * {@link #transact}. Timers have a few daemon threads of their own, whose names start with {@code counterkit-firestore}
 * and which end with {@link #close}. Thread-safe.
 */
public final class FirestoreCounterBackend implements CounterBackend {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final ShardCounts shardCounts;
    private final FirestoreCounters counters;
    private final FirestoreSequences sequences;
    private final FirestoreMigration migration;

    /** As {@link #create(Firestore, FirestoreCounterOptions)}, on a machine whose clock shows {@code machine}. */
    FirestoreCounterBackend(Firestore firestore, FirestoreCounterOptions options, InstantSource machine) {
        this.schema = new FirestoreSchema(firestore, options, new StoreClock(machine));
        this.tokens = new TokenStore(schema);
        this.shardCounts = new ShardCounts(schema);
        this.counters = new FirestoreCounters(schema, tokens, shardCounts, ShardRateLimiter.of(options, firestore));
        this.sequences = new FirestoreSequences(schema, tokens);
        this.migration = new FirestoreMigration(schema, sequences.tails());
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
                Objects.requireNonNull(firestore, "firestore"),
                Objects.requireNonNull(options, "options"),
                InstantSource.system());
    }

    /**
     * {@link Capability#SEAL_SEQUENCES}: a sharded counter has no one place where it could be sealed. And
     * {@link Capability#TOP}: by the roll-ups. Under a prefix that is {@linkplain FirestoreCounterOptions.Builder#keepFresh
     * kept fresh} that is one query, which needs the index of {@code firestore.indexes.json}, reads as many documents as
     * it lists, and lists each counter as of its roll-up. Under another one it looks at every counter and lists each as it
     * was at most a {@link FirestoreCounterOptions#rollupCadence()} before: two reads for each counter under the prefix,
     * and one more read and a write for each whose roll-up is older. Either way each is listed with how old it may be. And
     * {@link Capability#IMPORT}: counters and sequences can be moved here.
     */
    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.SEAL_SEQUENCES, Capability.TOP, Capability.IMPORT);
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
    public MigrationStore migration() {
        return migration;
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
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
        return new Definition(schema, tokens, name, shards, IdempotencyToken.random(), call())
                .define()
                .whenComplete((done, failure) -> counters.rollups().changed(List.of(name)));
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
        return new Resharding(schema, tokens, shardCounts, name, shards, IdempotencyToken.random(), call()).run();
    }

    /**
     * Renews the roll-up of each counter whose name starts with {@code prefix} and whose roll-up is older than
     * {@link FirestoreCounterOptions#rollupCadence()}: what {@link FirestoreCounterOptions.Builder#keepFresh} does for
     * counters that change, once for all, whoever changed them. Costs two reads for each counter under the prefix, and
     * one more read and a write for each that is renewed. A total that cannot be told keeps the roll-up that it has.
     *
     * <p>Harmless to repeat, and to be repeated if the future fails, which it does with {@link NotAppliedException} when
     * the store fails: some are renewed then.
     *
     * @param prefix may be empty for all
     * @return how many were renewed
     * @throws IllegalArgumentException if the prefix is none
     */
    public CompletableFuture<Long> rollUp(String prefix) {
        if (!prefix.isEmpty()) {
            Limits.checkName("prefix", prefix);
        }
        return rollUp(prefix, null, 0).exceptionally(failure -> {
            throw FirestoreErrors.notRead("rolling up '" + prefix + "'", failure);
        });
    }

    private CompletableFuture<Long> rollUp(String prefix, @Nullable String cursor, long before) {
        return counters.names(prefix, cursor, Limits.MAX_PAGE, call())
                .thenCompose(page -> rollUp(page.names())
                        .thenCompose(renewed -> page.next() == null
                                ? CompletableFuture.completedFuture(before + renewed)
                                : rollUp(prefix, page.next(), before + renewed)));
    }

    /** Whoever was in the way has changed a counter, so that this ends when they do. */
    private CompletableFuture<Long> rollUp(List<String> names) {
        return counters.rollups().refresh(names, false).thenCompose(refreshed -> {
            long written = refreshed.written();
            if (refreshed.failure() != null) {
                return CompletableFuture.failedFuture(refreshed.failure());
            }
            return refreshed.missed().isEmpty()
                    ? CompletableFuture.completedFuture(written)
                    : rollUp(refreshed.missed()).thenApply(more -> written + more);
        });
    }

    /**
     * The shards of a counter as they are now, foreign ones and those that hold no number included: what a total hides.
     * With them comes advice how many it should have, from the commits, waits and conflicts that this process has seen
     * and from how long ago each shard was written, by whomever.
     *
     * <p>Costs a read for each shard. The future fails with {@link NotAppliedException} if they cannot be read.
     *
     * @throws IllegalArgumentException if the name is none
     */
    public CompletableFuture<CounterDescription> describe(String name) {
        Limits.checkName("counter name", name);
        return CounterDescriber.read(schema, name, counters.activities().of(name), call())
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
    public CompletableFuture<TransactionResult> transact(IdempotencyToken token, TransactionFunction body) {
        if (token.value().startsWith(Commit.TOKEN_PREFIX)) {
            throw new IllegalArgumentException("token '" + token + "' starts with '" + Commit.TOKEN_PREFIX
                    + "' like those that CounterKit makes: let yours start with something else");
        }
        return new TransactionRun(schema, sequences, shardCounts, counters.rollups(), token, body, call()).run();
    }

    FirestoreSchema schema() {
        return schema;
    }

    private Call call() {
        return new Call(schema.options().deadline(), CountersListener.disabled());
    }

    @Override
    public Duration retention() {
        return schema.options().retention();
    }

    /**
     * Ends the watches, and writes the roll-ups that are due where they are {@linkplain FirestoreCounterOptions.Builder#keepFresh kept fresh},
     * within the deadline, and else does nothing: the client is the application's.
     */
    @Override
    public void close() {
        counters.close();
        schema.requests()
                .atMost(
                        schema.options().deadline().toNanos(),
                        counters.rollups().close())
                .join();
        schema.requests().close();
    }
}
