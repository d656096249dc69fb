package io.counterkit.datastore.cloud.internal.client;

import com.google.cloud.Timestamp;
import com.google.cloud.datastore.BaseEntity;
import com.google.cloud.datastore.Blob;
import com.google.cloud.datastore.BlobValue;
import com.google.cloud.datastore.BooleanValue;
import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.DoubleValue;
import com.google.cloud.datastore.Entity;
import com.google.cloud.datastore.EntityValue;
import com.google.cloud.datastore.FullEntity;
import com.google.cloud.datastore.IncompleteKey;
import com.google.cloud.datastore.Key;
import com.google.cloud.datastore.ListValue;
import com.google.cloud.datastore.LongValue;
import com.google.cloud.datastore.NullValue;
import com.google.cloud.datastore.PathElement;
import com.google.cloud.datastore.StringValue;
import com.google.cloud.datastore.TimestampValue;
import com.google.cloud.datastore.Value;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.StoreRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entities of one namespace in the types of Google's client, as App Engine's API stores them. Times are in whole
 * milliseconds, and an empty list is null. The elements of a list are excluded from indexes, but the list itself is
 * not. The text of a field is marked as a {@code Text} of that API.
 */
record CloudEntities(Datastore datastore, String namespace) {
    /** Marks a {@code Text} of App Engine's API. */
    private static final int MEANING_OF_TEXT = 15;

    Key key(StoreKey key) {
        return datastore
                .newKeyFactory()
                .setNamespace(namespace)
                .setKind(key.kind())
                .newKey(key.name());
    }

    static StoreKey key(Key key) {
        return new StoreKey(key.getKind(), key.getName());
    }

    /** Returns the entity to store. */
    Entity entity(StoreEntity entity) {
        Entity.Builder stored = entity.clientEntity() instanceof Entity read
                ? Entity.newBuilder(read)
                : Entity.newBuilder(key(entity.key()));
        entity.forEachChange(
                (property, value, isIndexed) -> stored.set(property, encode(value, isIndexed, false)), stored::remove);
        return stored.build();
    }

    /** Returns an entity that was read. */
    static StoreEntity entity(Entity stored) {
        return new StoreEntity(key(stored.getKey()), values(stored), stored);
    }

    static Map<String, @Nullable Object> values(BaseEntity<? extends IncompleteKey> stored) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (String property : stored.getNames()) {
            values.put(property, decode(stored.getValue(property)));
        }
        return values;
    }

    /** Returns an entity of the application. */
    static StoreRecord record(Entity stored, String property) {
        Map<String, @Nullable Object> values = values(stored);
        values.replaceAll((name, value) -> value instanceof Key key ? text(key) : value);
        return new StoreRecord(text(stored.getKey()), stored.getValue(property), values);
    }

    /** Returns a key as App Engine's API prints it. */
    private static String text(Key key) {
        StringBuilder text = new StringBuilder(key.getNamespace().isEmpty() ? "" : "!" + key.getNamespace() + ":");
        for (PathElement ancestor : key.getAncestors()) {
            text.append(text(ancestor.getKind(), ancestor.getNameOrId())).append('/');
        }
        return text + text(key.getKind(), key.getNameOrId());
    }

    private static String text(String kind, Object nameOrId) {
        return kind + (nameOrId instanceof String name ? "(\"" + name + "\")" : "(" + nameOrId + ")");
    }

    private static Value<?> encode(@Nullable Object value, boolean isIndexed, boolean isField) {
        boolean isExcluded = !isIndexed;
        if (value == null || (value instanceof List<?> list && list.isEmpty())) {
            return NullValue.newBuilder().setExcludeFromIndexes(isExcluded).build();
        }
        if (value instanceof String text) {
            return text(text, isExcluded, isField);
        }
        if (value instanceof Long number) {
            return LongValue.newBuilder(number)
                    .setExcludeFromIndexes(isExcluded)
                    .build();
        }
        if (value instanceof Double number) {
            return DoubleValue.newBuilder(number)
                    .setExcludeFromIndexes(isExcluded)
                    .build();
        }
        if (value instanceof Boolean flag) {
            return BooleanValue.newBuilder(flag)
                    .setExcludeFromIndexes(isExcluded)
                    .build();
        }
        if (value instanceof Instant instant) {
            return TimestampValue.newBuilder(timestamp(instant))
                    .setExcludeFromIndexes(isExcluded)
                    .build();
        }
        if (value instanceof byte[] bytes) {
            return BlobValue.newBuilder(Blob.copyFrom(bytes))
                    .setExcludeFromIndexes(isExcluded)
                    .build();
        }
        if (value instanceof List<?> list) {
            List<Value<?>> values = new ArrayList<>();
            list.forEach(each -> values.add(encode(each, isIndexed, false)));
            return ListValue.of(values);
        }
        if (value instanceof Map<?, ?> fields) {
            FullEntity.Builder<IncompleteKey> embedded = FullEntity.newBuilder();
            fields.forEach((name, each) -> embedded.set((String) name, encode(each, false, true)));
            return EntityValue.newBuilder(embedded.build())
                    .setExcludeFromIndexes(isExcluded)
                    .build();
        }
        throw new IllegalArgumentException("a value of type " + value.getClass().getName() + " is not stored");
    }

    @SuppressWarnings("deprecation") // nothing else stores what App Engine's API stores
    private static StringValue text(String text, boolean isExcluded, boolean isField) {
        StringValue.Builder value = StringValue.newBuilder(text).setExcludeFromIndexes(isExcluded);
        return isField ? value.setMeaning(MEANING_OF_TEXT).build() : value.build();
    }

    static Timestamp timestamp(Instant instant) {
        Instant millis = instant.truncatedTo(ChronoUnit.MILLIS);
        return Timestamp.ofTimeSecondsAndNanos(millis.getEpochSecond(), millis.getNano());
    }

    private static @Nullable Object decode(Value<?> value) {
        return switch (value.getType()) {
            case NULL -> null;
            case STRING, LONG, DOUBLE, BOOLEAN -> value.get();
            case TIMESTAMP -> instant((Timestamp) value.get());
            case BLOB -> ((Blob) value.get()).toByteArray();
            case LIST ->
                ((ListValue) value).get().stream().map(CloudEntities::decode).toList();
            case ENTITY -> values(((EntityValue) value).get());
            case KEY, LAT_LNG, RAW_VALUE -> value.get();
        };
    }

    private static Instant instant(Timestamp timestamp) {
        return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos())
                .truncatedTo(ChronoUnit.MILLIS);
    }
}
