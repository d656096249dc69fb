package io.counterkit.datastore.internal.schema;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of the fields of an entry: an embedded entity without indexes, which erasing the entry removes. The
 * length of a string in it is not limited separately. A name that the Datastore reserves gets a leading tilde.
 */
final class EntryFields {
    static final String PROPERTY = "fields";

    private EntryFields() {}

    static Map<String, @Nullable Object> encode(Map<String, Object> fields) {
        Map<String, @Nullable Object> stored = new LinkedHashMap<>();
        fields.forEach((name, value) -> stored.put(escape(name), value));
        return stored;
    }

    static Map<String, Object> decode(EntityReader entry) {
        Object stored = entry.entity().get(PROPERTY);
        if (stored == null) {
            return Map.of();
        }
        if (!(stored instanceof Map<?, ?> embedded)) {
            throw entry.corrupt(PROPERTY);
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        embedded.forEach((name, value) -> {
            if (value == null || !isField(value)) {
                throw entry.corrupt(PROPERTY);
            }
            fields.put(unescape((String) name), value);
        });
        return fields;
    }

    private static boolean isField(Object stored) {
        return stored instanceof String
                || stored instanceof Long
                || stored instanceof Double
                || stored instanceof Boolean
                || stored instanceof Instant
                || stored instanceof byte[];
    }

    private static String escape(String name) {
        return name.startsWith("__") || name.startsWith("~") ? "~" + name : name;
    }

    private static String unescape(String stored) {
        return stored.startsWith("~") ? stored.substring(1) : stored;
    }
}
