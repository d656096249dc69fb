package io.counterkit.firestore.internal.migration;

import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import io.counterkit.CorruptDataException;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The document that holds the imported state of a name: {@code kind} and {@code name}, for people, and {@code origin},
 * {@code present}, {@code value} and {@code last}. The import commit creates it first, so a name is imported only once.
 * It has no expiry. Its id is derived from the collection and the name; if that id belongs to another name in another
 * collection, a second id is derived from kind, collection and name.
 *
 * <p>An import that was sent and then found the name in use leaves a marker without a state, with the time in {@code
 * refused}. It stops attempts that are still in flight, which would be applied after a deletion. A later import
 * replaces it.
 */
public final class ImportMarker {
    private static final String KIND = "kind";
    private static final String NAME = "name";
    private static final String ORIGIN = "origin";
    private static final String PRESENT = "present";
    private static final String VALUE = "value";
    private static final String LAST = "last";
    private static final String REFUSED = "refused";

    /** The names of the fields of an imported state. */
    public static final List<String> FIELD_NAMES = List.of(KIND, NAME, ORIGIN, PRESENT, VALUE, LAST);

    private ImportMarker() {}

    static Map<String, Object> of(ChangeTarget.Kind kind, String name, ImportedState base) {
        return Map.of(
                KIND, kind.name(),
                NAME, name,
                ORIGIN, base.origin(),
                PRESENT, base.isPresent(),
                VALUE, base.value(),
                LAST, base.last());
    }

    /** Returns the marker of a name whose import was refused. */
    static Map<String, Object> ofRefusal(ChangeTarget.Kind kind, String name) {
        return Map.of(KIND, kind.name(), NAME, name, REFUSED, FieldValue.serverTimestamp());
    }

    /** Returns the fields to update so that the marker of a refusal becomes one of an import. */
    static Map<String, Object> replacing(Map<String, Object> marker) {
        Map<String, Object> fields = new HashMap<>(marker);
        fields.put(REFUSED, FieldValue.delete());
        return fields;
    }

    /** Returns whether a marker belongs to another name, in another collection. */
    static boolean isOfAnother(DocumentSnapshot document, ChangeTarget.Kind kind, String name) {
        return document.exists()
                && document.get(KIND) instanceof String itsKind
                && document.get(NAME) instanceof String itsName
                && !(itsKind.equals(kind.name()) && itsName.equals(name));
    }

    /** Reads a marker; returns null if it does not exist, or marks a refusal. */
    static @Nullable ImportedState toBase(DocumentSnapshot document) {
        if (!document.exists() || document.contains(REFUSED)) {
            return null;
        }
        if (document.get(ORIGIN) instanceof String origin
                && document.get(PRESENT) instanceof Boolean isPresent
                && document.get(VALUE) instanceof Long value
                && document.get(LAST) instanceof Long last
                && !origin.isEmpty()
                && last >= 0) {
            return new ImportedState(origin, isPresent, value, last);
        }
        throw new CorruptDataException("document '" + document.getReference().getPath()
                + "' is not an import marker: it was written or changed by another program");
    }
}
