package io.counterkit.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.TransactionResult;
import io.counterkit.firestore.internal.advice.AdaptiveShards;
import io.counterkit.firestore.internal.advice.CounterDescriber;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.counter.AddCommit;
import io.counterkit.firestore.internal.counter.AddSender;
import io.counterkit.firestore.internal.counter.CounterCache;
import io.counterkit.firestore.internal.counter.CounterCreation;
import io.counterkit.firestore.internal.counter.CounterLoads;
import io.counterkit.firestore.internal.counter.FirestoreCounters;
import io.counterkit.firestore.internal.counter.Resharding;
import io.counterkit.firestore.internal.deployment.DeploymentCheck;
import io.counterkit.firestore.internal.deployment.StartCheck;
import io.counterkit.firestore.internal.lane.StampedAdds;
import io.counterkit.firestore.internal.migration.FirestoreMigration;
import io.counterkit.firestore.internal.sequence.FirestoreSequences;
import io.counterkit.firestore.internal.stamp.StampedTokens;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.firestore.internal.transaction.TransactionRun;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
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
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counters and sequences on Google Cloud Firestore.
 *
 * <p>Counters are stored as in the published recipe of distributed counters (sharded documents, blind increments on a
 * random shard), so snippets of the recipe in any language and this backend may share a counter. In addition, each
 * commit creates a token document, so that it is applied once even if the client or a caller repeats it; with {@link
 * WriteStrategy#STAMP} most commits of adds store their token in a shard instead. A sequence is a chain of documents,
 * one for each number, and only one writer can create the document of a number.
 *
 * <p>All {@linkplain io.counterkit.Counter#watch watches} of a counter on one backend share a snapshot listener on its
 * document, up to 40 counters at a time, and thereby the roll-ups of all processes. When the newest roll-up is older
 * than the shortest cadence, the backend sums the shards once for all watches. So a cadence costs a process at most one
 * strong read, and one read of the document for each roll-up. A roll-up is written at most once per {@link
 * FirestoreCounterOptions#rollupCadence()}, and only if the total has changed. Watches see a delete or reset as soon as
 * the listener reports it. If listening fails, it is retried after 1 second to 1 minute, and watches sum the shards
 * until then.
 *
 * <p>All followers of a sequence on one backend share a listener on the next 30 numbers, so an entry arrives soon and
 * an idle follower reads the tail about once a minute. Watched counters and followed sequences share the 40 listeners.
 * Without a listener, and while listening fails, a follower reads the tail once per cadence.
 *
 * <p>The backend runs on the client's threads and does not block them. Only the functions of {@link #transact} have
 * their own threads. Timers use a few daemon threads, whose names start with {@code counterkit-firestore} and which end
 * with {@link #close}. Thread-safe.
 */
public final class FirestoreCounterBackend implements CounterBackend {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final CounterCache cache;
    private final CounterLoads loads;
    private final FirestoreCounters counters;
    private final FirestoreSequences sequences;
    private final FirestoreMigration migration;

    /** Creates a backend that uses {@code machine} as the clock of this machine. */
    FirestoreCounterBackend(Firestore firestore, FirestoreCounterOptions options, InstantSource machine) {
        this(firestore, options, machine, System::nanoTime);
    }

    /** Creates a backend that measures its load with {@code nanos}, a clock in nanoseconds. */
    FirestoreCounterBackend(
            Firestore firestore, FirestoreCounterOptions options, InstantSource machine, LongSupplier nanos) {
        this.schema = new FirestoreSchema(firestore, options, machine);
        this.tokens = new TokenStore(schema);
        this.cache = new CounterCache(schema);
        this.loads = CounterLoads.of(schema, nanos);
        AddSender byDocuments = AddCommit.sender(schema, cache, tokens);
        AddSender adds = options.writeStrategy() == WriteStrategy.STAMP
                ? new StampedAdds(schema, cache, tokens, byDocuments)
                : byDocuments;
        this.counters = new FirestoreCounters(
                schema,
                tokens,
                cache,
                loads,
                options.hasAdaptiveShards() ? new AdaptiveShards(schema, tokens, cache, loads, adds, nanos) : adds);
        this.sequences = new FirestoreSequences(schema, tokens);
        this.migration = new FirestoreMigration(schema, sequences);
    }

    /** Creates a backend with {@link FirestoreCounterOptions#defaults()}. */
    public static FirestoreCounterBackend create(Firestore firestore) {
        return create(firestore, FirestoreCounterOptions.defaults());
    }

    /**
     * Creates a backend over a client of any project and database. The application owns and configures the client, and
     * closes it after the backend: without the client, a reset, deletion or seal that is under way cannot release its
     * locks, which block changes of the counter for about a minute. Does not block, and does not access the store unless
     * {@link FirestoreCounterOptions.Builder#checkAtStart} is set.
     */
    public static FirestoreCounterBackend create(Firestore firestore, FirestoreCounterOptions options) {
        FirestoreCounterBackend backend = new FirestoreCounterBackend(
                Objects.requireNonNull(firestore, "firestore"),
                Objects.requireNonNull(options, "options"),
                InstantSource.system());
        if (options.isCheckedAtStart()) {
            StartCheck.log(backend.checkDeployment());
        }
        return backend;
    }

    /**
     * Returns all capabilities.
     *
     * <p>Sealing a counter deletes its shards and keeps the total, in one transaction. Snippets of the recipe that
     * update a shard fail from then on. If other software creates shards again, the total does not include them; {@link
     * #describe} and a migration's verification report them.
     *
     * <p>{@code top} under a prefix that is {@linkplain FirestoreCounterOptions.Builder#keepFresh kept fresh} is one
     * query of the roll-ups. It needs the index of {@code firestore.indexes.json}, and costs a read for each listed
     * counter. Under any other prefix it uses totals of at most one {@link FirestoreCounterOptions#rollupCadence()}
     * ago. That costs two reads for each counter under the prefix, and one more read and a write for each whose roll-up
     * is older. Each listed reading states its age.
     */
    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.SEAL_COUNTERS, Capability.SEAL_SEQUENCES, Capability.TOP, Capability.IMPORT);
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
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        return new StampedTokens(schema, tokens).resolve(token, target, call);
    }

    /**
     * Creates a counter with a number of shards, in one commit. If the counter exists with the same number, creates its
     * missing shards; if it has another number, changes nothing. Never resets a count. Without this call, the first add
     * creates the counter.
     *
     * <p>Idempotent. The future fails with {@link NotAppliedException} if the counter has another number of shards or
     * nothing was changed for another reason, and with {@link OutcomeUnknownException} if the outcome is unknown. Never
     * creates a part of a counter.
     *
     * @throws IllegalArgumentException if {@code name} is not a valid counter name, or {@code shards} is not 1 to 1,000
     */
    public CompletableFuture<Void> create(String name, int shards) {
        Limits.checkName("counter name", name);
        Sharding.checkCount(shards);
        return new CounterCreation(schema, tokens, name, shards, schema.ownCall())
                .create()
                .whenComplete((done, failure) -> counters.rollups().markDue(List.of(name)));
    }

    /**
     * Changes the number of shards of a counter, up or down, while any number of processes write to it, including
     * snippets of the published recipe. Every add counts, even from writers that do not know the new number yet.
     * Surplus shards are emptied but not deleted, since snippets of the recipe fail if a shard is missing.
     *
     * <p>Idempotent; call it again if the future fails. The total is right at every step, and another call completes an
     * interrupted one. The future fails with {@link NotAppliedException} if there is no such counter, a surplus shard
     * does not hold a whole number, or nothing was sent; and with {@link OutcomeUnknownException} if it is unknown how
     * much was applied. If the counter is deleted or sealed after the new number was published, the future completes
     * normally.
     *
     * @throws IllegalArgumentException if {@code name} is not a valid counter name, or {@code shards} is not 1 to 1,000
     */
    public CompletableFuture<Void> reshard(String name, int shards) {
        Limits.checkName("counter name", name);
        Sharding.checkCount(shards);
        return new Resharding(schema, tokens, cache, name, null, shards, schema.ownCall()).run();
    }

    /**
     * Renews the roll-ups under a prefix that are older than {@link FirestoreCounterOptions#rollupCadence()}, whichever
     * process changed the counters. {@link FirestoreCounterOptions.Builder#keepFresh} does so for counters that this
     * process changes. Costs two reads for each counter under the prefix, and one more read and a write for each
     * renewed roll-up. If a total cannot be read, its roll-up is not changed.
     *
     * <p>Idempotent. If the store fails, the future fails with {@link NotAppliedException}, and some roll-ups may have
     * been renewed; call it again.
     *
     * @param prefix the prefix of the counter names; may be empty for all
     * @return the number of renewed roll-ups
     * @throws IllegalArgumentException if {@code prefix} is not a valid prefix
     */
    public CompletableFuture<Long> rollUp(String prefix) {
        if (!prefix.isEmpty()) {
            Limits.checkName("prefix", prefix);
        }
        return FirestoreErrors.orNotRead("rolling up '" + prefix + "'", counters.rollUp(prefix, schema::ownCall));
    }

    /**
     * Returns the current shards of a counter, including those that other software created and those whose count is not
     * a whole number. A total does not show either. The description includes advice on the shard count, from the
     * commits, waits and conflicts that this process has observed and from the time of each shard's last write by any
     * process.
     *
     * <p>Costs a read for each shard. The future fails with {@link NotAppliedException} if the shards cannot be read.
     *
     * @throws IllegalArgumentException if {@code name} is not a valid counter name
     */
    public CompletableFuture<CounterDescription> describe(String name) {
        Limits.checkName("counter name", name);
        return FirestoreErrors.orNotRead(
                "describing '" + name + "'",
                CounterDescriber.describe(schema, name, loads.activityOf(name), schema.ownCall()));
    }

    /**
     * Checks whether the indexes, the exemptions and the TTL policy that ship with CounterKit are deployed for the
     * collections of this backend. {@link FirestoreCounterOptions.Builder#checkAtStart} does this at the start, and
     * logs the missing parts.
     *
     * <p>Costs about 130 reads, changes nothing, and needs no further permission. Reads do not show everything: they
     * never show that a TTL policy is present, only that it is missing once tokens have been expired for long. An
     * emulator and the Enterprise edition refuse no query, so most parts are {@link DeploymentReport.State#UNSEEN}
     * there. The future fails with {@link NotAppliedException} if the store cannot be read.
     */
    public CompletableFuture<DeploymentReport> checkDeployment() {
        return new DeploymentCheck(schema, schema.ownCall()).run();
    }

    /**
     * Applies the application's own reads and writes, adds to counters and appends to sequences in one transaction,
     * once for each token. Repetitions by the client or the caller change nothing more. A failed transaction changes
     * nothing.
     *
     * <p>The function runs on its own thread, perhaps several times, so its side effects outside the transaction should
     * be idempotent. An append blocks other writers of the sequence until the transaction is committed, or else the
     * transaction is repeated. An application with many appends should append before the transaction, and use the
     * number in it.
     *
     * <p>The future fails with the function's exception if it throws; with {@link io.counterkit.TokenRefusedException}
     * if the token was used for another change; with another {@link NotAppliedException} if nothing was applied; with
     * {@link OutcomeUnknownException} if the outcome is unknown: call again with the same token, or resolve it. The
     * token is remembered for {@link FirestoreCounterOptions#retention()}.
     *
     * @return the result, the same for each call with the token
     * @throws IllegalArgumentException if {@code token} starts like a token that CounterKit generates
     */
    public CompletableFuture<TransactionResult> transact(IdempotencyToken token, TransactionFunction body) {
        Limits.checkCallersToken(token);
        return new TransactionRun(schema, sequences, cache, counters.rollups(), token, body, schema.ownCall()).run();
    }

    FirestoreSchema schema() {
        return schema;
    }

    /** Calls {@code observer} with the names of counters that this process has changed, or may have. */
    void observe(Consumer<List<String>> observer) {
        counters.rollups().observe(observer);
    }

    void unobserve(Consumer<List<String>> observer) {
        counters.rollups().unobserve(observer);
    }

    @Override
    public Duration retention() {
        return schema.options().retention();
    }

    /**
     * Ends the watches and the listeners of followers, and writes the pending roll-ups of counters that are {@linkplain
     * FirestoreCounterOptions.Builder#keepFresh kept fresh}, within the deadline. Then gives up the operations that are
     * under way, and waits up to two seconds until their locks are released; those of a function of {@link #transact}
     * are held until it ends. Does not close the client, which belongs to the application.
     */
    @Override
    public void close() {
        counters.close();
        sequences.close();
        schema.timers()
                .atMost(
                        schema.options().deadline().toNanos(),
                        counters.rollups().close())
                .join();
        schema.client().close();
    }
}
