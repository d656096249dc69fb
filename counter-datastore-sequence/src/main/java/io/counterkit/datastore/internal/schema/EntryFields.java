package io.counterkit.datastore.internal.schema;

import com.google.appengine.api.datastore.Blob;
import com.google.appengine.api.datastore.EmbeddedEntity;
import com.google.appengine.api.datastore.Text;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of the fields of an entry: an embedded entity without indexes, which erasing the entry removes. A
 * string is a {@link Text}, which has no limit of its own. A name that the Datastore reserves gets a leading tilde.
 */
final class EntryFields {
    static final String PROPERTY = "fields";

    private EntryFields() {}

    static EmbeddedEntity encode(Map<String, Object> fields) {
        EmbeddedEntity stored = new EmbeddedEntity();
        fields.forEach((name, value) -> stored.setUnindexedProperty(escape(name), encode(value)));
        return stored;
    }

    static Map<String, Object> decode(EntityReader entry) {
        Object stored = entry.entity().getProperty(PROPERTY);
        if (stored == null) {
            return Map.of();
        }
        if (!(stored instanceof EmbeddedEntity embedded)) {
            throw entry.corrupt(PROPERTY);
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        embedded.getProperties().forEach((name, value) -> {
            Object decoded = decode(value);
            if (decoded == null) {
                throw entry.corrupt(PROPERTY);
            }
            fields.put(unescape(name), decoded);
        });
        return fields;
    }

    private static Object encode(Object value) {
        if (value instanceof String text) {
            return new Text(text);
        }
        if (value instanceof byte[] bytes) {
            return new Blob(bytes);
        }
        return value instanceof Instant instant ? Date.from(instant) : value;
    }

    private static @Nullable Object decode(@Nullable Object stored) {
        if (stored instanceof Text text) {
            return text.getValue();
        }
        if (stored instanceof Blob blob) {
            return blob.getBytes();
        }
        if (stored instanceof Date date) {
            return date.toInstant();
        }
        return stored instanceof String
                        || stored instanceof Long
                        || stored instanceof Double
                        || stored instanceof Boolean
                ? stored
                : null;
    }

    private static String escape(String name) {
        return name.startsWith("__") || name.startsWith("~") ? "~" + name : name;
    }

    private static String unescape(String stored) {
        return stored.startsWith("~") ? stored.substring(1) : stored;
    }
}
