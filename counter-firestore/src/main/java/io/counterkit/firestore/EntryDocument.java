package io.counterkit.firestore;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.Blob;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.Change;
import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.Seal;
import io.counterkit.spi.AppendRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry or a seal as a document: {@code number}, {@code change}, {@code subject}, {@code live} (the live count right
 * after it), {@code fields}, {@code erased}. The moment it was appended is the time when the store created it. A seal
 * has {@code forward} instead, and {@code live}.
 */
final class EntryDocument {
    static final String FIELDS = "fields";
    static final String ERASED = "erased";
    private static final String NUMBER = "number";
    private static final String CHANGE = "change";
    private static final String SUBJECT = "subject";

    private EntryDocument() {}

    static Map<String, Object> of(long number, AppendRequest request, long liveCount) {
        Map<String, Object> document = new HashMap<>();
        document.put(NUMBER, number);
        document.put(CHANGE, request.change().name());
        document.put(FirestoreSchema.LIVE, liveCount);
        if (request.subject() != null) {
            document.put(SUBJECT, request.subject());
        }
        Map<String, Object> fields = new HashMap<>();
        request.fields().forEach((name, value) -> fields.put(DocumentIds.ofField(name), toStored(value)));
        document.put(FIELDS, fields);
        return document;
    }

    static Map<String, Object> ofSeal(String forward, long liveCount) {
        return Map.of(FirestoreSchema.FORWARD, forward, FirestoreSchema.LIVE, liveCount);
    }

    static boolean isSeal(DocumentSnapshot document) {
        return document.contains(FirestoreSchema.FORWARD);
    }

    /** The seal that stands after the entry {@code last}. */
    static Seal toSeal(DocumentSnapshot document, long last) {
        return new Seal(present(document, document.getString(FirestoreSchema.FORWARD)), last, liveCount(document));
    }

    static long liveCount(DocumentSnapshot document) {
        return document.get(FirestoreSchema.LIVE) instanceof Long live ? live : present(document, null);
    }

    static Entry toEntry(DocumentSnapshot document) {
        try {
            Map<String, Object> fields = new HashMap<>();
            if (document.get(FIELDS) instanceof Map<?, ?> stored) {
                stored.forEach((name, value) ->
                        fields.put(DocumentIds.nameOfField(name.toString()), fromStored(document, value)));
            }
            return new Entry(
                    present(document, document.getLong(NUMBER)),
                    toInstant(present(document, document.getCreateTime())),
                    Change.valueOf(present(document, document.getString(CHANGE))),
                    document.getString(SUBJECT),
                    fields,
                    liveCount(document),
                    Objects.requireNonNullElse(document.getBoolean(ERASED), false));
        } catch (IllegalArgumentException | ClassCastException e) {
            throw corrupt(document, e);
        }
    }

    static Instant toInstant(Timestamp timestamp) {
        return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos())
                .truncatedTo(ChronoUnit.MILLIS);
    }

    private static Object toStored(Object value) {
        if (value instanceof Instant instant) {
            return Timestamp.ofTimeSecondsAndNanos(instant.getEpochSecond(), instant.getNano());
        }
        return value instanceof byte[] bytes ? Blob.fromBytes(bytes) : value;
    }

    private static Object fromStored(DocumentSnapshot document, @Nullable Object value) {
        if (value instanceof Timestamp timestamp) {
            return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
        }
        return value instanceof Blob blob ? blob.toBytes() : present(document, value);
    }

    private static <T> T present(DocumentSnapshot document, @Nullable T value) {
        if (value == null) {
            throw corrupt(document, null);
        }
        return value;
    }

    private static CorruptDataException corrupt(DocumentSnapshot document, @Nullable Exception cause) {
        return new CorruptDataException(
                "document '" + document.getReference().getPath() + "' is no entry of a sequence: somebody else has"
                        + " written it, or changed it",
                cause);
    }
}
