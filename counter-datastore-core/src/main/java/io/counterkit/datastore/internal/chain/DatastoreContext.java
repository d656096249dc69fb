package io.counterkit.datastore.internal.chain;

import io.counterkit.CountersListener;
import io.counterkit.NotAppliedException;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreKeys;
import io.counterkit.datastore.internal.store.ChainOptions;
import io.counterkit.datastore.internal.store.RetryLoop;
import io.counterkit.datastore.internal.store.StoreClient;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Reasons;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects and helpers that the operations of one backend share.
 *
 * @param executor runs the operations
 */
public record DatastoreContext(
        ChainOptions options,
        StoreClient client,
        Executor executor,
        DatastoreKeys keys,
        TailFinder finder,
        PriorityGate gate,
        PurgePosition purgePosition) {
    /** The number of entity groups that a transaction needs besides the run of a counter. */
    private static final int OTHER_GROUPS = 3;

    private static final Duration OWN_CALLS = Duration.ofSeconds(20);

    public static DatastoreContext create(StoreClient client, ChainOptions options, Executor executor) {
        DatastoreKeys keys = new DatastoreKeys(options.kindPrefix());
        return new DatastoreContext(
                options, client, executor, keys, new TailFinder(client, keys), new PriorityGate(), new PurgePosition());
    }

    /** Creates a call of a method that only the backends on a Datastore have. */
    public Call ownCall() {
        return new Call(OWN_CALLS, CountersListener.disabled());
    }

    /** Creates a commit of a method that only the backends on a Datastore have. */
    public Commit ownCommit() {
        return new Commit(OWN_CALLS, options.random(), CountersListener.disabled());
    }

    /**
     * Returns the maximum weight of a run of a counter, which leaves room for the previous entry, the commit's token
     * and the name.
     */
    public int mostWeight() {
        return options.mostGroups() - OTHER_GROUPS;
    }

    /** Returns the limits of batches, one for each name. */
    public BatchLimits limits(int maxWeight) {
        BatchLimits limits = BatchLimits.ofWeight(maxWeight).withOnePerName();
        return client.isBoundToThread() ? limits.withCallerRuns() : limits;
    }

    /** Returns the time in whole milliseconds: App Engine's API reads no finer times. */
    public Instant now() {
        return options.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /** Returns the end of the retention of a token that is used now. */
    public Instant expires() {
        return now().plus(options.retention());
    }

    /** Runs an operation on a thread that may call the store. */
    public <T> CompletableFuture<T> run(Supplier<T> operation) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            client.checkThread();
            executor.execute(() -> complete(result, operation));
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(new NotAppliedException("the backend is closed", e));
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
        return result;
    }

    private static <T> void complete(CompletableFuture<T> result, Supplier<T> operation) {
        try {
            result.complete(operation.get());
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
            if (e instanceof Error error) {
                throw error;
            }
        }
    }

    /** Runs a read of counters or sequences, and retries it while the store fails and there is time. */
    public <T> CompletableFuture<T> read(List<String> names, Call call, RetryLoop.Attempt<T> read) {
        return run(() -> readLoop(names, call).run(read));
    }

    /** Creates the loop of a read of counters or sequences. */
    public RetryLoop readLoop(List<String> names, Call call) {
        return loop("reading " + Reasons.names(names), names, call, null);
    }

    /** Creates a loop: see {@link RetryLoop}. */
    public RetryLoop loop(String what, List<String> names, Call call, RetryLoop.@Nullable UnknownOutcome unknown) {
        return new RetryLoop(client, options, what, names, call, unknown);
    }

    /** Writes a change that the token of its commit covers. */
    public <R> R write(ChainChange<R> change, Commit commit) {
        return write("changing", change, commit, RetryLoop.coveredBy(commit::token));
    }

    /** Writes a change. */
    public <R> R write(String verb, ChainChange<R> change, Call call, RetryLoop.UnknownOutcome unknown) {
        ChainName chain = change.chain();
        return new ChainWriter<>(this, change, call, loop(verb + " " + chain, List.of(chain.name()), call, unknown))
                .run();
    }

    /** Splits a list into groups that each fit into one transaction. */
    public <T> List<List<T>> groups(List<T> all) {
        List<List<T>> groups = new ArrayList<>();
        for (int from = 0; from < all.size(); from += options.mostGroups()) {
            groups.add(all.subList(from, Math.min(from + options.mostGroups(), all.size())));
        }
        return groups;
    }
}
