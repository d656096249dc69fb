package io.counterkit.firestore.internal.counter;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.SealedException;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import org.jspecify.annotations.Nullable;

/**
 * The content of a counter's document.
 *
 * @param shards the number of its shards, or the number to create if the document does not exist
 * @param isThere whether the document exists
 * @param field the field that holds the number; null if there is none
 * @param updated when the document was last changed; null if it does not exist, or was not read since this process
 *     wrote it
 * @param seal the seal; null if the counter is not sealed
 * @param problem why the counter cannot be changed although it is not sealed; null if it can
 */
public record CounterDocument(
        int shards,
        boolean isThere,
        @Nullable String field,
        @Nullable Timestamp updated,
        @Nullable CounterSeal seal,
        @Nullable CounterException problem) {
    /** Reads a document, which may not exist. */
    public static CounterDocument of(FirestoreSchema schema, DocumentSnapshot document) {
        String field = schema.shardCountField(document);
        Long stored = field == null ? null : document.getLong(field);
        long shards = stored == null ? schema.options().shards() : stored;
        CounterSeal seal = null;
        CorruptDataException problem = null;
        try {
            seal = CounterSeal.of(document);
        } catch (CorruptDataException e) {
            problem = e; // concerns this counter only, and others were read with it
        }
        return new CounterDocument(
                (int) Math.max(1, Math.min(shards, FirestoreCounterOptions.MAX_SHARDS)),
                document.exists(),
                field,
                document.getUpdateTime(),
                seal,
                problem);
    }

    /** Returns the content of a document that this process has just written. */
    static CounterDocument written(int shards, @Nullable String field) {
        return new CounterDocument(shards, true, field, null, null, null);
    }

    /** Returns the failure of each change of this counter; null if it can be changed. */
    public @Nullable CounterException refusal(String name) {
        return seal == null ? problem : new SealedException(name, seal.seal());
    }
}
