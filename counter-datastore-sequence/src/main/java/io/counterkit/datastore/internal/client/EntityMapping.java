package io.counterkit.datastore.internal.client;

import com.google.appengine.api.datastore.Blob;
import com.google.appengine.api.datastore.EmbeddedEntity;
import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.PropertyContainer;
import com.google.appengine.api.datastore.ShortBlob;
import com.google.appengine.api.datastore.Text;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.StoreRecord;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entities of one namespace in App Engine's types. A string in an embedded entity is a {@link Text}, whose length
 * is not limited separately.
 */
public record EntityMapping(Namespace namespace) {
    public Key key(StoreKey key) {
        return namespace.key(key.kind(), key.name());
    }

    public StoreKey key(Key key) {
        return new StoreKey(key.getKind(), key.getName());
    }

    /** Returns the entity to store. */
    public Entity entity(StoreEntity entity) {
        Entity stored = entity.clientEntity() instanceof Entity read ? read.clone() : new Entity(key(entity.key()));
        entity.forEachChange(
                (property, value, isIndexed) -> {
                    if (isIndexed) {
                        stored.setProperty(property, encode(value));
                    } else {
                        stored.setUnindexedProperty(property, encode(value));
                    }
                },
                stored::removeProperty);
        return stored;
    }

    /** Returns an entity that was read. */
    public StoreEntity entity(Entity stored) {
        return new StoreEntity(key(stored.getKey()), values(stored), stored);
    }

    private static Map<String, @Nullable Object> values(PropertyContainer container) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        container.getProperties().forEach((property, value) -> values.put(property, decode(value)));
        return values;
    }

    private static @Nullable Object encode(@Nullable Object value) {
        if (value instanceof Instant instant) {
            return Date.from(instant);
        }
        if (value instanceof byte[] bytes) {
            return new Blob(bytes);
        }
        if (value instanceof Map<?, ?> values) {
            EmbeddedEntity embedded = new EmbeddedEntity();
            values.forEach((name, each) -> embedded.setUnindexedProperty(
                    (String) name, each instanceof String text ? new Text(text) : encode(each)));
            return embedded;
        }
        return value;
    }

    private static @Nullable Object decode(@Nullable Object value) {
        if (value instanceof Text text) {
            return text.getValue();
        }
        if (value instanceof Blob blob) {
            return blob.getBytes();
        }
        if (value instanceof Date date) {
            return date.toInstant();
        }
        return value instanceof EmbeddedEntity embedded ? values(embedded) : value;
    }

    /** Returns an entity of the application. */
    static StoreRecord record(Entity stored, String property) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        stored.getProperties()
                .forEach((name, value) -> values.put(
                        name,
                        value instanceof ShortBlob blob
                                ? blob.getBytes()
                                : value instanceof EmbeddedEntity ? value : decode(value)));
        return new StoreRecord(stored.getKey().toString(), stored.getProperty(property), values);
    }
}
