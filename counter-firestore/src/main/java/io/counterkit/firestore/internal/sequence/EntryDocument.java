package io.counterkit.firestore.internal.sequence;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.Blob;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.Change;
import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.firestore.internal.client.DocumentIds;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreClock;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ImportedState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts an entry or a seal to a document and back. The fields of an entry are {@code number}, {@code change}, {@code
 * subject}, {@code live} (the live count after it), {@code fields} and {@code erased}. Its time is the creation time of
 * the document, or {@code appended} if it was copied from another store. A seal has {@code forward} and {@code live}.
 *
 * <p>If a sequence was imported, the document of number 1 holds the last imported number in {@code base} and the live
 * count in {@code base_live}. It exists from the import on, so that number 1 is not issued again; entry 1 is copied
 * into it.
 */
public final class EntryDocument {
    static final String FIELDS = "fields";
    static final String ERASED = "erased";
    public static final String NUMBER = "number";
    private static final String BASE = "base";
    private static final String BASE_LIVE = "base_live";
    private static final String APPENDED = "appended";
    private static final String CHANGE = "change";
    private static final String SUBJECT = "subject";

    /** The names of all fields. */
    public static final List<String> FIELD_NAMES = List.of(
            NUMBER,
            CHANGE,
            FirestoreSchema.LIVE,
            SUBJECT,
            FIELDS,
            ERASED,
            FirestoreSchema.FORWARD,
            APPENDED,
            BASE,
            BASE_LIVE);

    private EntryDocument() {}

    static Map<String, Object> of(long number, AppendRequest request, long liveCount) {
        return of(number, request.change(), request.subject(), request.fields(), liveCount);
    }

    /** Returns the document of an entry that was appended to another store. */
    public static Map<String, Object> copyOf(Entry entry) {
        Map<String, Object> document =
                of(entry.number(), entry.change(), entry.subject(), entry.fields(), entry.liveCount());
        document.put(APPENDED, toStored(entry.appendedAt()));
        if (entry.erased()) {
            document.put(ERASED, true);
        }
        return document;
    }

    private static Map<String, Object> of(
            long number, Change change, @Nullable String subject, Map<String, Object> values, long liveCount) {
        Map<String, Object> document = new HashMap<>();
        document.put(NUMBER, number);
        document.put(CHANGE, change.name());
        document.put(FirestoreSchema.LIVE, liveCount);
        if (subject != null) {
            document.put(SUBJECT, subject);
        }
        Map<String, Object> fields = new HashMap<>();
        values.forEach((name, value) -> fields.put(DocumentIds.ofField(name), toStored(value)));
        document.put(FIELDS, fields);
        return document;
    }

    public static Map<String, Object> ofBase(ImportedState base) {
        return Map.of(BASE, base.last(), BASE_LIVE, base.value());
    }

    static boolean isBase(DocumentSnapshot document) {
        return document.contains(BASE);
    }

    /** Returns the tail of the sequence at its import. */
    static Tail toBase(DocumentSnapshot document) {
        if (document.get(BASE) instanceof Long last && last > 0 && document.get(BASE_LIVE) instanceof Long live) {
            return new Tail(last, live, null);
        }
        throw corrupt(document, null);
    }

    /**
     * Returns whether the document is not an entry: it is missing, is a seal, or is a base whose entry is not copied
     * yet.
     */
    static boolean isNoEntry(DocumentSnapshot document) {
        return !document.exists() || isSeal(document) || (isBase(document) && !document.contains(NUMBER));
    }

    static Map<String, Object> ofSeal(String forward, long liveCount) {
        return Map.of(FirestoreSchema.FORWARD, forward, FirestoreSchema.LIVE, liveCount);
    }

    static boolean isSeal(DocumentSnapshot document) {
        return document.contains(FirestoreSchema.FORWARD);
    }

    /** Returns the seal after the entry {@code last}. */
    static Seal toSeal(DocumentSnapshot document, long last) {
        return new Seal(present(document, document.getString(FirestoreSchema.FORWARD)), last, liveCount(document));
    }

    static long liveCount(DocumentSnapshot document) {
        return document.get(FirestoreSchema.LIVE) instanceof Long live ? live : present(document, null);
    }

    /** Returns the entry {@code number}, which must exist. */
    static Entry toEntry(DocumentSnapshot document, long number) {
        try {
            if (!Objects.equals(document.get(NUMBER), number) || !(document.get(FIELDS) instanceof Map<?, ?> stored)) {
                throw corrupt(document, null);
            }
            Map<String, Object> fields = new HashMap<>();
            stored.forEach(
                    (name, value) -> fields.put(DocumentIds.nameOfField(name.toString()), fromStored(document, value)));
            return new Entry(
                    number,
                    appendedAt(document),
                    Change.valueOf(present(document, document.getString(CHANGE))),
                    document.getString(SUBJECT),
                    fields,
                    liveCount(document),
                    Objects.requireNonNullElse(document.getBoolean(ERASED), false));
        } catch (IllegalArgumentException | ClassCastException e) {
            throw corrupt(document, e);
        }
    }

    private static Instant appendedAt(DocumentSnapshot document) {
        return document.contains(APPENDED)
                ? entryTime(present(document, document.getTimestamp(APPENDED)))
                : entryTime(present(document, document.getCreateTime()));
    }

    /** Returns the time of an entry or a seal, in whole milliseconds. */
    public static Instant entryTime(Timestamp time) {
        return StoreClock.toInstant(time).truncatedTo(ChronoUnit.MILLIS);
    }

    private static Object toStored(Object value) {
        if (value instanceof Instant instant) {
            return Timestamp.ofTimeSecondsAndNanos(instant.getEpochSecond(), instant.getNano());
        }
        return value instanceof byte[] bytes ? Blob.fromBytes(bytes) : value;
    }

    private static Object fromStored(DocumentSnapshot document, @Nullable Object value) {
        if (value instanceof Timestamp timestamp) {
            return StoreClock.toInstant(timestamp);
        }
        if (value instanceof Blob blob) {
            return blob.toBytes();
        }
        if (value instanceof String || value instanceof Long || value instanceof Double || value instanceof Boolean) {
            return value;
        }
        throw corrupt(document, null);
    }

    private static <T> T present(DocumentSnapshot document, @Nullable T value) {
        if (value == null) {
            throw corrupt(document, null);
        }
        return value;
    }

    private static CorruptDataException corrupt(DocumentSnapshot document, @Nullable Exception cause) {
        return new CorruptDataException(
                "document '" + document.getReference().getPath() + "' is not an entry of a sequence: it was"
                        + " written, changed or deleted by another program",
                cause);
    }
}
