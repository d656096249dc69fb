package io.counterkit.firestore.internal.migration;

import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.CorruptDataException;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The document that says what a name began with: {@code kind} and {@code name}, for people, and {@code origin},
 * {@code present}, {@code value} and {@code last}. Its id is made of collection and name, so that there is one, and it is
 * created first in the commit that imports, which can be applied once only for that reason. It has no expiry. Where that
 * id is made of another collection and another name too, and is taken, a second one is made of kind, collection and name.
 */
final class ImportMarker {
    private ImportMarker() {}

    static Map<String, Object> of(ChangeTarget.Kind kind, String name, ImportedState base) {
        return Map.of(
                "kind", kind.name(),
                "name", name,
                "origin", base.origin(),
                "present", base.isPresent(),
                "value", base.value(),
                "last", base.last());
    }

    /** Whether it is that of another name, in another collection. */
    static boolean isOfAnother(DocumentSnapshot document, ChangeTarget.Kind kind, String name) {
        return document.exists()
                && document.get("kind") instanceof String itsKind
                && document.get("name") instanceof String itsName
                && !(itsKind.equals(kind.name()) && itsName.equals(name));
    }

    /** Reads it; null if there is none. */
    static @Nullable ImportedState toBase(DocumentSnapshot document) {
        if (!document.exists()) {
            return null;
        }
        if (document.get("origin") instanceof String origin
                && document.get("present") instanceof Boolean isPresent
                && document.get("value") instanceof Long value
                && document.get("last") instanceof Long last
                && !origin.isEmpty()
                && last >= 0) {
            return new ImportedState(origin, isPresent, value, last);
        }
        throw new CorruptDataException("document '" + document.getReference().getPath()
                + "' does not say what was imported: somebody else has written or changed it");
    }
}
