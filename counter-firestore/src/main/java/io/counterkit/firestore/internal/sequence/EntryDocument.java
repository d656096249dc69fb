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
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ImportedState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry or a seal as a document: {@code number}, {@code change}, {@code subject}, {@code live} (the live count right
 * after it), {@code fields}, {@code erased}. The moment it was appended is the time when the store created it, or in
 * {@code appended} if it was copied from another store. A seal has {@code forward} instead, and {@code live}.
 *
 * <p>Where a sequence begins with what was imported, the document of number 1 says so: {@code base} is the last number
 * and {@code base_live} the live count of the import. It stands there from the import on, so that nobody gives out
 * number 1 again; once entry 1 is copied it holds that as well.
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

    private EntryDocument() {}

    static Map<String, Object> of(long number, AppendRequest request, long liveCount) {
        return of(number, request.change(), request.subject(), request.fields(), liveCount);
    }

    /** An entry that was appended to another store. */
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

    /** The end that a sequence had when it was imported. */
    static Tail toBase(DocumentSnapshot document) {
        if (document.get(BASE) instanceof Long last && last > 0 && document.get(BASE_LIVE) instanceof Long live) {
            return new Tail(last, live, null);
        }
        throw corrupt(document, null);
    }

    /** Whether there is no entry at this place: nothing, a seal, or an import whose first entry is not copied. */
    static boolean isNoEntry(DocumentSnapshot document) {
        return !document.exists() || isSeal(document) || (isBase(document) && !document.contains(NUMBER));
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

    /** The entry at the place of {@code number}, where one must be. */
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
                ? toInstant(present(document, document.getTimestamp(APPENDED)))
                : toInstant(present(document, document.getCreateTime()));
    }

    public static Instant toInstant(Timestamp timestamp) {
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
                "document '" + document.getReference().getPath() + "' is no entry of a sequence: somebody else has"
                        + " written, changed or deleted it",
                cause);
    }
}
