package io.counterkit.datastore;

import org.jspecify.annotations.Nullable;

/** A counter as the newest entry of its chain tells it. */
record CounterEnd(@Nullable Link newest) {
    static CounterEnd of(Snapshot snapshot) {
        return new CounterEnd(snapshot.end().newest());
    }

    /** Whether there never was one, or it was deleted. */
    boolean isAbsent() {
        return newest == null || newest.absent();
    }

    Total total() {
        return newest == null ? Total.ZERO : new Total(newest.value(), newest.overflown());
    }
}
