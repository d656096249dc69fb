package io.counterkit.datastore.internal.schema;

import io.counterkit.CorruptDataException;
import io.counterkit.datastore.internal.store.StoreEntity;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the properties of an entity that other software may have changed. Throws a {@link CorruptDataException} that
 * names the entity and the property if a value is not one that CounterKit writes.
 */
record EntityReader(String what, StoreEntity entity) {
    long number(String property) {
        return value(property, Long.class);
    }

    boolean flag(String property) {
        return value(property, Boolean.class);
    }

    Instant moment(String property) {
        return value(property, Instant.class);
    }

    String text(String property) {
        String text = textOrNull(property);
        if (text == null) {
            throw corrupt(property);
        }
        return text;
    }

    @Nullable String textOrNull(String property) {
        Object value = entity.get(property);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw corrupt(property);
    }

    <E extends Enum<E>> E oneOf(String property, Class<E> type) {
        String name = text(property);
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(name)) {
                return constant;
            }
        }
        throw corrupt(property);
    }

    /** Returns a list. The Datastore stores an empty list as null. */
    <T> List<T> list(String property, Class<T> type) {
        Object value = entity.get(property);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list && list.stream().allMatch(type::isInstance)) {
            return list.stream().map(type::cast).toList();
        }
        throw corrupt(property);
    }

    private <T> T value(String property, Class<T> type) {
        Object value = entity.get(property);
        if (!type.isInstance(value)) {
            throw corrupt(property);
        }
        return type.cast(value);
    }

    CorruptDataException corrupt(String property) {
        Object value = entity.get(property);
        return new CorruptDataException(what + ": property '" + property + "' of " + entity.key() + " holds "
                + (value == null ? "nothing" : value + " (" + value.getClass().getSimpleName() + ")")
                + ", which CounterKit does not write there");
    }
}
