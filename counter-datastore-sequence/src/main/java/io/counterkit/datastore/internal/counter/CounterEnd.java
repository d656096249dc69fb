package io.counterkit.datastore.internal.counter;

import io.counterkit.datastore.internal.chain.Snapshot;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.Total;
import org.jspecify.annotations.Nullable;

/** A counter as the newest entry of its chain tells it. */
public record CounterEnd(@Nullable ChainEntry newest) {
    public static CounterEnd of(Snapshot snapshot) {
        return new CounterEnd(snapshot.end().newest());
    }

    /** Whether there never was one, or it was deleted. */
    public boolean isAbsent() {
        return newest == null || newest.absent();
    }

    public Total total() {
        return newest == null ? Total.ZERO : new Total(newest.value(), newest.overflown());
    }
}
