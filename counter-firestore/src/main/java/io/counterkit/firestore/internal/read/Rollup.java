package io.counterkit.firestore.internal.read;

import com.google.api.core.ApiFuture;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.WriteResult;
import io.counterkit.Reading;
import io.counterkit.firestore.FirestoreCounterOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The total of a counter as its own document has it, at the moment when the shards were summed. It can be late and is
 * never wrong: it says of what moment it is, by the store's clock.
 */
public record Rollup(long total, Timestamp at) {
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

    /**
     * Writes the sum as the roll-up of the counter whose document this is, read before the sum was begun. Only if nobody
     * has touched the document since: whoever did has a newer roll-up, or has deleted the counter, which must not come
     * back. So whatever becomes of it, no roll-up is wrong.
     */
    static ApiFuture<WriteResult> write(DocumentSnapshot counter, Reading sum, FirestoreCounterOptions options) {
        Instant moment = sum.asOf();
        Timestamp at = Timestamp.ofTimeSecondsAndNanos(moment.getEpochSecond(), moment.getNano());
        return counter.getReference()
                .update(
                        Map.of(options.totalField(), sum.value(), options.totalTimeField(), at),
                        Precondition.updatedAt(Objects.requireNonNull(counter.getUpdateTime())));
    }

    /** How old it was when the document was read, in nanoseconds, by the store's clock alone. */
    long ageIn(DocumentSnapshot counter) {
        Timestamp read = Objects.requireNonNull(counter.getReadTime());
        long seconds = read.getSeconds() - at.getSeconds();
        return seconds >= AGES / NANOS ? AGES : seconds * NANOS + read.getNanos() - at.getNanos();
    }

    /** Returns the cadence of roll-ups in nanoseconds, at most a century: a longer one means none at all. */
    public static long cadenceNanos(FirestoreCounterOptions options) {
        Duration longest = Duration.ofDays(36_500);
        return (options.rollupCadence().compareTo(longest) < 0 ? options.rollupCadence() : longest).toNanos();
    }
}
