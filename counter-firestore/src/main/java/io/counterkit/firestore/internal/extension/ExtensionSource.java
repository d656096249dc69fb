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
 * The documents and fields to take over, and the backend that takes them.
 *
 * @param collection the application's documents
 */
public record ExtensionSource(
        FirestoreCounterBackend backend,
        FirestoreSchema schema,
        CollectionReference collection,
        List<CountedField> fields) {
    private static final String COUNTED = "counted";

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
     * Returns the document that holds, for each field of the application's document, which part of its value is counted
     * by the counter: {@code kind}, {@code document}, {@code place} and {@code at}, and the map {@code counted}. It changes in
     * each transaction that changes the counter or the field, so whatever else the field holds was added by other software
     * since.
     */
    DocumentReference marker(DocumentReference document) {
        return schema.extensionMarker(document.getPath());
    }

    Map<String, Object> markerFields(DocumentReference document, Map<String, Long> counted) {
        return Map.of(
                "kind",
                "EXTENSION",
                "document",
                document.getPath(),
                "place",
                schema.layout().counterCollection(),
                COUNTED,
                counted,
                "at", // so that the document changes even if the parts are the same
                FieldValue.serverTimestamp());
    }

    /** Returns the part of a field that the counter counts, by what the marker says. */
    static long counted(Map<String, Object> marker, CountedField field) {
        return marker.get(COUNTED) instanceof Map<?, ?> counted && counted.get(field.text()) instanceof Long value
                ? value
                : 0;
    }

    /** Returns the place of the counters of a marker, if that is another than this backend's. */
    @Nullable String otherPlace(Map<String, Object> marker) {
        return marker.get("place") instanceof String place
                        && !place.equals(schema.layout().counterCollection())
                ? place
                : null;
    }
}
