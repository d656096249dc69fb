package io.counterkit.firestore;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The total of a counter as its own document has it, at the moment when the shards were summed. It can be late and is
 * never wrong: it says of what moment it is, by the store's clock.
 */
record Rollup(long total, Timestamp at) {
    private static final long NANOS = 1_000_000_000L;

    /** Older than any read allows: 73 years, so that no sum with it overflows. */
    private static final long AGES = Long.MAX_VALUE / 4;

    /** Reads it; null if there is none, or one of a moment still to come, which is none of ours and would stay for ever. */
    static @Nullable Rollup of(DocumentSnapshot counter, FirestoreCounterOptions options) {
        Timestamp read = counter.getReadTime();
        return counter.exists()
                        && read != null
                        && counter.get(options.totalField()) instanceof Long total
                        && counter.get(options.totalTimeField()) instanceof Timestamp at
                        && at.compareTo(read) <= 0
                ? new Rollup(total, at)
                : null;
    }

    /** How old it was when the document was read, in nanoseconds, by the store's clock alone. */
    long ageIn(DocumentSnapshot counter) {
        Timestamp read = Objects.requireNonNull(counter.getReadTime());
        long seconds = read.getSeconds() - at.getSeconds();
        return seconds >= AGES / NANOS ? AGES : seconds * NANOS + read.getNanos() - at.getNanos();
    }
}
