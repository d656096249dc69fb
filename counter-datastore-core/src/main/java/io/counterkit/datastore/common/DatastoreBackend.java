package io.counterkit.datastore.common;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.TransactionResult;
import io.counterkit.datastore.adopt.Adoption;
import io.counterkit.datastore.adopt.AdoptionReport;
import io.counterkit.datastore.internal.adopt.Adopter;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.operation.ApplicationTransaction;
import io.counterkit.datastore.internal.operation.DatastoreCounters;
import io.counterkit.datastore.internal.operation.DatastoreMigration;
import io.counterkit.datastore.internal.operation.DatastoreSequences;
import io.counterkit.datastore.internal.operation.DatastoreTokens;
import io.counterkit.datastore.internal.store.StoreClient;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The common base of the backends on a Datastore, whatever their client. Thread-safe.
 *
 * @param <F> the work of an application in one transaction
 */
public abstract class DatastoreBackend<F> implements CounterBackend {
    private final String namespace;
    private final DatastoreContext context;

    /**
     * Creates a backend.
     *
     * @param namespace the namespace of all data of the client
     * @param executor runs the operations
     */
    protected DatastoreBackend(
            String namespace, StoreClient client, DatastoreBackendOptions options, Executor executor) {
        this.namespace = namespace;
        this.context = DatastoreContext.create(client, options.chains(), executor);
    }

    /** Returns the namespace of all data of this backend. */
    public final String namespace() {
        return namespace;
    }

    @Override
    public final Set<Capability> capabilities() {
        return EnumSet.of(Capability.SEAL_COUNTERS, Capability.SEAL_SEQUENCES, Capability.IMPORT);
    }

    @Override
    public final CounterStore counters() {
        return new DatastoreCounters(context);
    }

    @Override
    public final SequenceStore sequences() {
        return new DatastoreSequences(context);
    }

    @Override
    public final MigrationStore migration() {
        return new DatastoreMigration(context);
    }

    @Override
    public final CompletableFuture<Resolution> resolve(
            IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        return new DatastoreTokens(context).resolve(token, target, call);
    }

    /**
     * Removes tokens after their retention; call it from a cron job. A change that is repeated with a removed token is
     * applied again.
     *
     * <p>A token is removed in two steps, since the store has no clock and the clock of the process that used the token
     * may be wrong. The first purge that finds the token expired by the writer's clock only stores the time of its own
     * clock with the token. A later purge removes the token when the retention has passed since then. A token is
     * therefore remembered for the retention, even if the writers' clocks are wrong. It usually stays for twice the
     * retention and the time between two purges, and longer by as much as its writer's clock was ahead.
     *
     * <p>The clocks of the processes that purge should agree, as they do if one cron job purges. If they differ, and
     * the clock of a token's writer was behind, the token is remembered for the retention less that difference. Do not
     * let the store delete tokens by their property {@code expires}, as a TTL policy does: it starts with the writer's
     * clock.
     *
     * <p>A token that was removed and used again since then is kept, even if a query still lists the old one.
     *
     * @param limit the maximum number of tokens to mark or remove, 1 to 500
     * @return how many tokens were marked or removed. The number is less than {@code limit} if no more of them are due
     *     now, or if other processes purged at the same time; a job repeats the call until then
     * @throws io.counterkit.NotAppliedException if the store fails; some tokens may have been marked or removed, and
     *     the next call continues with the rest
     */
    public final int purgeTokens(int limit) {
        return new DatastoreTokens(context).purge(limit);
    }

    /**
     * Commits the application's own changes together with appends and adds, atomically and exactly once. Another call
     * with the same token, from any process, changes nothing and returns the result of the first one. Retries for up to
     * 20 seconds while the store fails or other writers cause contention.
     *
     * <p>Some stores limit a transaction to 25 entity groups. It uses one for the token, one for each entry, one for
     * each subject, one for the newest entry of each sequence or counter, and one for each new name.
     *
     * @return the result, the same for each call with the token
     * @throws io.counterkit.NotAppliedException if this call changed nothing and never will; another call with the
     *     token may have applied the same changes
     * @throws io.counterkit.OutcomeUnknownException if the outcome is unknown. Repeating the call with the same token
     *     applies the changes once in total; {@code resolve} finds out whether they were applied
     * @throws IllegalArgumentException if {@code token} starts like a token that CounterKit generates
     * @throws RuntimeException if {@code function} throws it; nothing was committed
     */
    public abstract TransactionResult transact(IdempotencyToken token, F function);

    /** Runs the work of {@link #transact}. */
    protected final TransactionResult run(IdempotencyToken token, ApplicationTransaction.Work work) {
        return new ApplicationTransaction(context, token, work).run();
    }

    /**
     * Appends existing records that the application has numbered 1, 2, 3, … to a sequence. The records and their
     * numbers are not changed, and their properties become fields of the entries. All records are checked before the
     * first entry is appended: they must be numbered 1 to n, each once. Otherwise nothing is changed, and the report
     * states the reasons. Adopting again resumes an interrupted adoption, and does nothing after a complete one.
     *
     * <p>The writers of the records must have stopped. On a store whose queries lag, wait until they have caught up.
     *
     * @param sequence a sequence without other entries
     * @throws io.counterkit.NotAppliedException if the store fails, the sequence has other entries, or the records
     *     change meanwhile; some entries may have been appended, and adopting again continues after them
     * @throws io.counterkit.SealedException if the sequence is sealed
     */
    public final AdoptionReport adopt(String sequence, Adoption adoption) {
        return new Adopter(context, sequence, adoption).adopt();
    }

    /**
     * Checks existing records as {@link #adopt} does, and changes nothing. May run while the records are written.
     *
     * @throws io.counterkit.NotAppliedException if the store fails, or the sequence has more entries than there are
     *     records
     * @throws io.counterkit.SealedException if the sequence is sealed
     */
    public final AdoptionReport checkAdoption(String sequence, Adoption adoption) {
        return new Adopter(context, sequence, adoption).check();
    }

    @Override
    public final Duration retention() {
        return context.options().retention();
    }
}
