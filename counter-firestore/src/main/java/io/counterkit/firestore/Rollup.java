package io.counterkit.firestore;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * The total of a counter as its own document has it, at the moment when the shards were summed. It can be late and is
 * never wrong: it says of what moment it is, by the store's clock.
 */
record Rollup(long total, Timestamp at) {
    /** Reads it; null if there is none. */
    static @Nullable Rollup of(DocumentSnapshot counter, FirestoreCounterOptions options) {
        return counter.exists()
                        && counter.get(options.totalField()) instanceof Long total
                        && counter.get(options.totalTimeField()) instanceof Timestamp at
                ? new Rollup(total, at)
                : null;
    }

    /** How old it was when the document was read, in nanoseconds, by the store's clock alone. */
    long ageIn(DocumentSnapshot counter) {
        Timestamp read = counter.getReadTime();
        return read == null ? Long.MAX_VALUE : Math.max(0, nanos(read) - nanos(at));
    }

    private static long nanos(Timestamp time) {
        return Math.addExact(Math.multiplyExact(time.getSeconds(), 1_000_000_000L), time.getNanos());
    }
}
