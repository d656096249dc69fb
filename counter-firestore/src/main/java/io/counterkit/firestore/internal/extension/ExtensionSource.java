package io.counterkit.firestore.internal.extension;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.internal.client.DocumentIds;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The documents and fields to take over, and the backend that takes them over.
 *
 * @param collection the application's documents
 */
public record ExtensionSource(
        FirestoreCounterBackend backend,
        FirestoreSchema schema,
        CollectionReference collection,
        List<CountedField> fields) {
    private static final String COUNTED = "counted";
    private static final String PLACE = "place";
    private static final String SHARDS = "shards";
    private static final String COUNT_FIELD = "countField";

    public ExtensionSource {
        fields = List.copyOf(fields);
    }

    /** Returns the name of the counter that a field of a document becomes. */
    public static String counter(DocumentReference document, CountedField field) {
        return document.getPath() + "/" + field.text();
    }

    /** Returns the document whose field has become a counter; null if no field of {@link #fields} has. */
    @Nullable DocumentReference documentOf(String counter) {
        String prefix = collection.getPath() + "/";
        int end = counter.lastIndexOf('/');
        return counter.startsWith(prefix)
                        && end > prefix.length()
                        && counter.indexOf('/', prefix.length()) == end
                        && DocumentIds.isPlain(counter.substring(prefix.length(), end))
                        && fields.stream().anyMatch(field -> field.text().equals(counter.substring(end + 1)))
                ? collection.document(counter.substring(prefix.length(), end))
                : null;
    }

    /**
     * Returns the marker of a document. Its map {@code counted} holds, for each field, the part of the value that the
     * counter includes; {@code place}, {@code shards} and {@code countField} state where the counters are; {@code
     * kind}, {@code document} and {@code at} are for people. Each transaction that changes the counter or the field
     * changes the marker, so any difference between field and marker was added by other software.
     */
    DocumentReference marker(DocumentReference document) {
        return schema.hashed().extensionMarker(document.getPath());
    }

    Map<String, Object> markerFields(DocumentReference document, Map<String, Long> counted) {
        return Map.of(
                "kind",
                "EXTENSION",
                "document",
                document.getPath(),
                PLACE,
                schema.layout().counterCollection(),
                SHARDS,
                schema.hashed().shardsPlace(),
                COUNT_FIELD,
                schema.layout().countField(),
                COUNTED,
                counted,
                "at", // changes the document even if the parts are the same
                FieldValue.serverTimestamp());
    }

    /** Returns the part of a field's value that the counter includes according to the marker. */
    static long counted(Map<String, Object> marker, CountedField field) {
        return marker.get(COUNTED) instanceof Map<?, ?> counted && counted.get(field.text()) instanceof Long value
                ? value
                : 0;
    }

    /** Returns why this backend may not take over a document with this marker; null if it may. */
    @Nullable String otherPlace(Map<String, Object> marker) {
        if (marker.get(PLACE) instanceof String place
                && !place.equals(schema.layout().counterCollection())) {
            return "its counters are in collection '" + place + "' already";
        }
        if (marker.get(SHARDS) instanceof String shards
                && !shards.equals(schema.hashed().shardsPlace())) {
            return "its counters have " + (shards.equals("/") ? "flat shards" : "shards in '" + shards + "'")
                    + " already: use the same layout";
        }
        return marker.get(COUNT_FIELD) instanceof String field
                        && !field.equals(schema.layout().countField())
                ? "its counters count in field '" + field + "' of their shards already: use the same layout"
                : null;
    }
}
