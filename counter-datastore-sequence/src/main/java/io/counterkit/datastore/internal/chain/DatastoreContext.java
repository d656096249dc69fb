package io.counterkit.datastore.internal.chain;

import io.counterkit.Seal;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.internal.client.CallerThread;
import io.counterkit.datastore.internal.client.DatastoreClient;
import io.counterkit.datastore.internal.client.Namespace;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.tail.TailFinder;
import io.counterkit.spi.Commit;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;

/** What counters and sequences are made of. */
public record DatastoreContext(
        DatastoreSequenceOptions options,
        Namespace namespace,
        CallerThread callerThread,
        DatastoreClient store,
        DatastoreSchema schema,
        TailFinder finder,
        ChainWriter writer,
        NameList names) {
    public static DatastoreContext of(DatastoreClient store, DatastoreSequenceOptions options) {
        Namespace namespace = Namespace.of(options);
        DatastoreSchema schema = new DatastoreSchema(namespace, options.kindPrefix());
        TailFinder finder = new TailFinder(store, schema, options.tailStrategy());
        return new DatastoreContext(
                options,
                namespace,
                new CallerThread(options),
                store,
                schema,
                finder,
                new ChainWriter(store, schema, finder, options),
                new NameList(store, schema));
    }

    /** The time, in whole milliseconds: the store keeps no finer ones for everybody. */
    public Instant now() {
        return options.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /** When a token that is used now need not be remembered any more. */
    public Instant expires() {
        return now().plus(options.retention());
    }

    /** The cover of a change that has the commit's own token alone. */
    public CommitTokens covers(Commit commit) {
        return CommitTokens.own(schema, commit, now(), expires());
    }

    public CompletableFuture<Seal> seal(ChainName chain, String forward, Commit commit) {
        return callerThread.change(
                () -> writer.carryOut(chain, new SealChange(schema, chain, forward, covers(commit)), commit));
    }
}
