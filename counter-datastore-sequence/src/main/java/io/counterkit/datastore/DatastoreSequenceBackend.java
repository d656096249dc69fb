package io.counterkit.datastore;

import com.google.appengine.api.datastore.DatastoreService;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.datastore.internal.adopt.Adopter;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.client.Blocking;
import io.counterkit.datastore.internal.client.Commits;
import io.counterkit.datastore.internal.client.DatastoreClient;
import io.counterkit.datastore.internal.client.RetryLoop;
import io.counterkit.datastore.internal.counter.DatastoreCounters;
import io.counterkit.datastore.internal.migration.DatastoreMigration;
import io.counterkit.datastore.internal.sequence.DatastoreSequences;
import io.counterkit.datastore.internal.token.TokenPurge;
import io.counterkit.datastore.internal.token.TokenResolver;
import io.counterkit.datastore.internal.transaction.Transact;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sequences without a counter entity on the App Engine Datastore, and counters on top of them. It keeps the whole
 * contract on every kind of Datastore: with eventually consistent queries and with strong ones, with optimistic and with
 * pessimistic transactions.
 *
 * <p>Every call to the store is made on the thread that calls, since the App Engine API is bound to it: that thread must
 * have an environment, as the threads of requests and of {@code ThreadManager} do. Where many threads use one name, one
 * of them carries out what the others wait for. So do not use one {@code Counters} for several requests' environments
 * that must not be mixed; the namespace of the backend is its own anyway. An asynchronous call is done when it returns,
 * unless another thread leads.
 *
 * <p>Thread-safe. Make one of a namespace and keep it: it remembers how far each sequence has come, as a hint only.
 */
public final class DatastoreSequenceBackend implements CounterBackend {
    private static final Duration OWN_CALLS = Duration.ofSeconds(20);

    private final DatastoreContext parts;
    private final TokenResolver tokens;

    private DatastoreSequenceBackend(DatastoreClient store, DatastoreSequenceOptions options) {
        parts = DatastoreContext.of(store, options);
        tokens = new TokenResolver(store, parts.schema(), options);
    }

    /**
     * A backend that makes its own calls to the Datastore of the environment, each of which ends before the deadline of
     * its caller. The one to take unless there is a service to be configured.
     */
    public static DatastoreSequenceBackend create(DatastoreSequenceOptions options) {
        return new DatastoreSequenceBackend(DatastoreClient.withDeadlines(), options);
    }

    /**
     * A backend that uses {@code datastore} as it is configured. Its deadline bounds each single call but the end of a
     * transaction, so that a caller may have to wait for that longer than for its own; {@code maxEntityGroupsPerRpc(1000)} reads pages of entries in one
     * call instead of ten at a time; its read policy must be strong.
     */
    public static DatastoreSequenceBackend create(DatastoreService datastore, DatastoreSequenceOptions options) {
        return new DatastoreSequenceBackend(DatastoreClient.over(datastore), options);
    }

    /** The namespace of everything that this backend stores. */
    public String namespace() {
        return parts.namespace().name();
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.of(Capability.SEAL_COUNTERS, Capability.SEAL_SEQUENCES, Capability.IMPORT);
    }

    @Override
    public CounterStore counters() {
        return new DatastoreCounters(parts);
    }

    @Override
    public SequenceStore sequences() {
        return new DatastoreSequences(parts);
    }

    /** Names can be moved from here, and to here. */
    @Override
    public MigrationStore migration() {
        return new DatastoreMigration(parts);
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
        Commits commits = new Commits(parts.store(), call);
        return parts.callerThread().read(token.value(), call, () -> tokens.resolve(token, origin, commits, call));
    }

    /**
     * Removes tokens whose retention is over, for a cron job. A change that is repeated with a removed token is applied
     * again.
     *
     * <p>A token is removed in two steps, since the store tells no time and the clock of the process that used the token may
     * be wrong. A purge first sees a token when its retention is over by the clock of that process, and only stores the time
     * of its own clock with it. A later purge removes the token when the retention has passed since then. So a token is
     * remembered for the retention whatever the clocks of writers say. It usually stays for twice the retention and the time
     * between two purges, and longer by as much as its writer's clock was ahead.
     *
     * <p>The clocks of the processes that purge should agree, as those of one cron job do: if the writer's clock of a token
     * was behind, the token is remembered for the retention less the difference between those two. Do not let the store
     * delete tokens by their property {@code expires}, as a TTL policy does: it begins with the writer's clock.
     *
     * <p>A token that was removed and used again meanwhile is kept, also where a query still lists it as it was.
     *
     * @param limit from 1 to 500
     * @return how many tokens were seen for the first time or removed; less than {@code limit} when there are no more to see
     *     or remove now, or when others have purged some meanwhile. A job that repeats the call until it returns less than
     *     {@code limit} ends, and leaves those few to its next run
     * @throws io.counterkit.NotAppliedException if the store fails; some may have been seen or removed, and the rest can be
     *     with the next call
     */
    public int purgeTokens(int limit) {
        if (limit < 1 || limit > 500) {
            throw new IllegalArgumentException("limit " + limit + ": use 1 to 500");
        }
        Call call = ownCall();
        TokenPurge purge = new TokenPurge(parts, limit, call);
        return Blocking.join(parts.callerThread().read("tokens", call, purge::run));
    }

    /**
     * Commits the application's own changes together with appends and adds, all or nothing, once: the same token again,
     * from any process, does nothing more and returns what the first one returned. Tries again while the store fails or
     * others are in the way, for 20 seconds.
     *
     * <p>Up to 25 entity groups, where the store has such a limit: the token takes one, each entry and its subject one
     * each, each sequence or counter one for its newest entry, and a new name one.
     *
     * @return an {@link Resolution.Appended} or {@link Resolution.Added} for each change that went through {@code tx}, in
     *     order
     * @throws io.counterkit.NotAppliedException if this call changed nothing and never will; another call with the token may
     *     have applied the same changes
     * @throws io.counterkit.OutcomeUnknownException if that is not known: the same call again, with the same token,
     *     applies it once in all, and {@code resolve} tells
     * @throws RuntimeException what {@code work} throws, as it is; nothing was committed then
     */
    public List<Resolution> transact(IdempotencyToken token, TransactionFunction work) {
        if (token.value().startsWith(Commit.TOKEN_PREFIX)) {
            throw new IllegalArgumentException("token " + token + " was made by CounterKit: use one of your own");
        }
        Call call = ownCall();
        Transact transact = new Transact(parts, token, work, call);
        RetryLoop tries = new RetryLoop(parts.options(), "transaction " + token, token.value(), call, () -> token);
        try {
            return Blocking.join(parts.callerThread().change(() -> tries.carryOut(transact)));
        } catch (NotAppliedException e) {
            RuntimeException thrown = transact.failure();
            throw thrown != null && e.getCause() == thrown ? thrown : e;
        }
    }

    /**
     * Makes entries of existing records that were numbered without a counter, as in the article of 2009. The records
     * stay as they are; their numbers stay, and their properties become fields. Before the first entry is made all
     * records are looked at: they must be numbered 1 to n, each once, and if any is not, nothing is touched and the
     * report tells. Adopting again goes on where an interrupted adoption ended, and does nothing if that was complete.
     *
     * <p>Their writers must have stopped. On a store whose queries lag, wait until they have caught up.
     *
     * @param sequence a sequence without other entries
     * @throws io.counterkit.NotAppliedException if the store fails, the sequence has other entries, or the records change
     *     meanwhile; some entries may have been made, and adopting again goes on from there
     * @throws io.counterkit.SealedException if the sequence is sealed
     */
    public AdoptionReport adopt(String sequence, Adoption adoption) {
        Limits.checkName("sequence", sequence);
        Adopter adopter = new Adopter(parts, sequence, adoption, this::ownCommit);
        return Blocking.join(parts.callerThread().change(adopter::adopt));
    }

    private Commit ownCommit() {
        return new Commit(OWN_CALLS, parts.options().random(), CountersListener.disabled());
    }

    private static Call ownCall() {
        return new Call(OWN_CALLS, CountersListener.disabled());
    }

    @Override
    public Duration retention() {
        return parts.options().retention();
    }

    @Override
    public void close() {}
}
