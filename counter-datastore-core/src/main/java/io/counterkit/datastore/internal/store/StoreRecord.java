package io.counterkit.datastore.internal.store;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entity of the application, with a key and properties of any type.
 *
 * @param key its key as text
 * @param position the client's own value of the property that the records are ordered by
 * @param values its properties; a value that no entry can hold is the client's own
 */
public record StoreRecord(String key, @Nullable Object position, Map<String, @Nullable Object> values) {}
