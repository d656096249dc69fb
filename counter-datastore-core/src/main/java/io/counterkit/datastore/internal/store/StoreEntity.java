package io.counterkit.datastore.internal.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An entity, independent of the client. Values are {@code Long}, {@code Double}, {@code Boolean}, {@code String},
 * {@code Instant} in whole milliseconds, {@code byte[]}, null, a {@code List} of {@code Long} or {@code String}, or a
 * {@code Map} of such values for an embedded entity. A value of another type, which other software stored, is the
 * client's own. Not thread-safe.
 */
public final class StoreEntity {
    private final StoreKey key;
    private final @Nullable Object clientEntity;
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    /** The properties that were set or removed since the entity was read, with whether they are indexed. */
    private final Map<String, Boolean> changed = new LinkedHashMap<>();

    /** Creates an entity without properties, to be stored. */
    public StoreEntity(StoreKey key) {
        this.key = key;
        this.clientEntity = null;
    }

    /**
     * Creates an entity as it was read.
     *
     * @param clientEntity the client's own entity, whose other properties are kept when this one is stored again
     */
    public StoreEntity(StoreKey key, Map<String, @Nullable Object> values, Object clientEntity) {
        this.key = key;
        this.clientEntity = clientEntity;
        this.values.putAll(values);
    }

    public StoreKey key() {
        return key;
    }

    /** Returns the client's own entity that this one was read from, or null. */
    public @Nullable Object clientEntity() {
        return clientEntity;
    }

    /** Returns whether the entity has a property, perhaps null. */
    public boolean has(String property) {
        return values.containsKey(property);
    }

    /** Returns the value of a property; null if it has none. */
    public @Nullable Object get(String property) {
        return values.get(property);
    }

    /** Sets a property that is not indexed. */
    public void set(String property, @Nullable Object value) {
        values.put(property, value);
        changed.put(property, false);
    }

    /** Sets a property that is indexed. */
    public void setIndexed(String property, Object value) {
        values.put(property, value);
        changed.put(property, true);
    }

    /** Removes a property. */
    public void remove(String property) {
        values.remove(property);
        changed.put(property, false);
    }

    /** Passes each change since the entity was read to the client that stores it. */
    public void forEachChange(PropertySetter setter, Consumer<String> remover) {
        changed.forEach((property, isIndexed) -> {
            if (has(property)) {
                setter.set(property, get(property), isIndexed);
            } else {
                remover.accept(property);
            }
        });
    }

    /** Sets a property of a client's own entity. */
    public interface PropertySetter {
        void set(String property, @Nullable Object value, boolean isIndexed);
    }
}
