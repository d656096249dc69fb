package io.counterkit.firestore.internal.read;

import com.google.api.core.ApiFuture;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.WriteResult;
import io.counterkit.Reading;
import io.counterkit.firestore.Layout;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The total in a counter's document, and the time of that sum by the store's clock. */
public record Rollup(long total, Timestamp at) {
    private static final long NANOS = 1_000_000_000L;

    /** Longer than any staleness, and small enough for additions: 73 years. */
    private static final long MAX_AGE = Long.MAX_VALUE / 4;

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** Returns the roll-up in a document; null if there is none, or a foreign one of a future time. */
    static @Nullable Rollup of(DocumentSnapshot counter, FirestoreSchema schema) {
        Layout layout = schema.layout();
        Timestamp read = counter.getReadTime();
        return counter.exists()
                        && read != null
                        && counter.get(layout.totalField()) instanceof Long total
                        && counter.get(layout.totalTimeField()) instanceof Timestamp at
                        && at.compareTo(read) <= 0
                ? new Rollup(total, at)
                : null;
    }

    /**
     * Writes a sum as the roll-up of a counter whose document was read before the sum was started. The write fails if
     * the document has changed since: it then has a newer roll-up, or the counter was deleted and must stay absent. So
     * no roll-up is ever wrong.
     */
    static ApiFuture<WriteResult> write(DocumentSnapshot counter, Reading sum, FirestoreSchema schema) {
        Instant moment = sum.asOf();
        Timestamp at = Timestamp.ofTimeSecondsAndNanos(moment.getEpochSecond(), moment.getNano());
        return counter.getReference()
                .update(
                        Map.of(
                                schema.layout().totalField(),
                                sum.value(),
                                schema.layout().totalTimeField(),
                                at),
                        Precondition.updatedAt(Objects.requireNonNull(counter.getUpdateTime())));
    }

    /** Returns the age of the roll-up when the document was read, in nanoseconds, by the store's clock. */
    long ageIn(DocumentSnapshot counter) {
        Timestamp read = Objects.requireNonNull(counter.getReadTime());
        long seconds = read.getSeconds() - at.getSeconds();
        return seconds >= MAX_AGE / NANOS ? MAX_AGE : seconds * NANOS + read.getNanos() - at.getNanos();
    }

    /**
     * Returns the shortest time between two roll-ups of a counter, at most a century. Pages may listen to the counter's
     * document, so it changes at most once a second, even if the options state less. An emulator has no such limit.
     */
    static Duration cadence(FirestoreSchema schema) {
        return cadence(schema.options().rollupCadence(), schema.isEmulator());
    }

    public static Duration cadence(Duration asked, boolean isEmulator) {
        if (asked.compareTo(SHORTEST) < 0 && !isEmulator) {
            return SHORTEST;
        }
        return asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
    }
}
