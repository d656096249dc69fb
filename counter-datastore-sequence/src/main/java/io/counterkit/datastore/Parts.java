package io.counterkit.datastore;

import io.counterkit.Seal;
import io.counterkit.spi.Commit;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;

/** What counters and sequences are made of. */
record Parts(
        DatastoreSequenceOptions options,
        Namespace namespace,
        OnCaller onCaller,
        Store store,
        DatastoreSchema schema,
        TailFinder finder,
        ChainWriter writer,
        NameList names) {
    static Parts of(Store store, DatastoreSequenceOptions options) {
        Namespace namespace = Namespace.of(options);
        DatastoreSchema schema = new DatastoreSchema(namespace, options.kindPrefix());
        TailFinder finder = new TailFinder(store, schema, options.tailStrategy());
        return new Parts(
                options,
                namespace,
                new OnCaller(options),
                store,
                schema,
                finder,
                new ChainWriter(store, schema, finder, options),
                new NameList(store, schema));
    }

    /** The time, in whole milliseconds: the store keeps no finer ones for everybody. */
    Instant now() {
        return options.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /** When a token that is used now need not be remembered any more. */
    Instant expires() {
        return now().plus(options.retention());
    }

    /** The cover of a change that has the commit's own token alone. */
    Covers covers(Commit commit) {
        return Covers.own(schema, commit, now(), expires());
    }

    CompletableFuture<Seal> seal(ChainName chain, String forward, Commit commit) {
        return onCaller.change(
                () -> writer.carryOut(chain, new SealChange(schema, chain, forward, covers(commit)), commit));
    }
}
