package io.counterkit.datastore.internal.chain;

import com.google.appengine.api.datastore.Entity;
import io.counterkit.NamePage;
import io.counterkit.Seal;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.internal.client.DatastoreClient;
import io.counterkit.datastore.internal.client.Namespace;
import io.counterkit.datastore.internal.client.RetryLoop;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreKeys;
import io.counterkit.datastore.internal.tail.TailFinder;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the operations of one backend share. */
public record DatastoreContext(
        DatastoreSequenceOptions options,
        Namespace namespace,
        DatastoreClient client,
        DatastoreKeys keys,
        TailFinder finder,
        PriorityGate gate) {
    public static DatastoreContext create(DatastoreClient client, DatastoreSequenceOptions options) {
        Namespace namespace = Namespace.of(options);
        DatastoreKeys keys = new DatastoreKeys(namespace, options.kindPrefix());
        return new DatastoreContext(options, namespace, client, keys, new TailFinder(client, keys), new PriorityGate());
    }

    /** Returns the time in whole milliseconds: App Engine's API reads no finer ones. */
    public Instant now() {
        return options.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /** Returns when a token that is used now can be forgotten. */
    public Instant expires() {
        return now().plus(options.retention());
    }

    /** Runs an operation on the calling thread, since the API is bound to it. */
    public <T> CompletableFuture<T> run(Supplier<T> operation) {
        try {
            client.checkThread();
            return CompletableFuture.completedFuture(operation.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Runs a read on the calling thread, and retries it while the store fails and there is time. */
    public <T> CompletableFuture<T> read(String name, Call call, RetryLoop.Attempt<T> read) {
        return run(() -> reading(name, call).run(read));
    }

    /** Creates the loop for an operation that callers may repeat whatever it did. */
    public RetryLoop reading(String name, Call call) {
        return loop("reading '" + name + "'", name, call, null);
    }

    /** Creates a loop. */
    public RetryLoop loop(String what, String name, Call call, RetryLoop.@Nullable UnknownOutcome unknown) {
        return new RetryLoop(client, options, what, name, call, unknown);
    }

    /** Writes a change that the token of its commit covers. */
    public <R> R write(ChainName chain, ChainChange<R> change, Commit commit) {
        return write("changing", chain, change, commit, RetryLoop.coveredBy(commit::token));
    }

    /** Writes a change. */
    public <R> R write(
            String verb, ChainName chain, ChainChange<R> change, Call call, RetryLoop.UnknownOutcome unknown) {
        RetryLoop loop = loop(verb + " " + chain, chain.name(), call, unknown);
        return new ChainWriter<>(this, chain, change, call, loop).run();
    }

    /** Seals a chain. */
    public CompletableFuture<Seal> seal(ChainName chain, String forward, Commit commit) {
        return run(() -> write(chain, new SealChange(this, chain, forward, commit), commit));
    }

    /** Lists names that are present, in key order, as of some time ago where indexes lag. */
    public CompletableFuture<NamePage> names(
            ChangeTarget.Kind kind, String prefix, @Nullable String cursor, int limit, Call call) {
        return read(prefix, call, () -> {
            List<Entity> found = client.query(keys.names(kind, prefix, cursor), limit, call);
            List<String> all = found.stream()
                    .map(entity -> DatastoreKeys.nameOf(entity.getKey()))
                    .toList();
            List<String> names =
                    all.stream().filter(name -> name.startsWith(prefix)).toList();
            return new NamePage(names, all.size() < limit ? null : all.get(all.size() - 1));
        });
    }
}
