package io.counterkit.spi;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks, copies and compares the fields of entries. */
public final class Fields {
    private static final Instant FIRST_INSTANT = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST_INSTANT = Instant.parse("9999-12-31T23:59:59.999Z");

    private Fields() {}

    /**
     * Returns an immutable copy in the same order, or {@code fields} itself if it is such a copy. Each read of a byte
     * array from the copy returns another clone.
     */
    public static Map<String, Object> copyOf(Map<String, ?> fields) {
        if (fields.isEmpty()) {
            return Map.of();
        }
        return fields instanceof ImmutableFields copy ? copy : new ImmutableFields(fields);
    }

    /** Returns whether two entries have the same fields. Compares byte arrays by their content. */
    public static boolean areEqual(Map<String, Object> some, Map<String, Object> others) {
        return some.size() == others.size()
                && some.entrySet().stream()
                        .allMatch(field -> Objects.deepEquals(field.getValue(), others.get(field.getKey())));
    }

    /**
     * Returns an immutable copy of {@code fields} if it has at most 100 of at most 32 KiB together, and each
     * value is a String, Long, Double, Boolean, Instant in whole milliseconds or byte[].
     *
     * @throws IllegalArgumentException otherwise, naming the field
     */
    public static Map<String, Object> check(Map<String, ?> fields) {
        Map<String, Object> copy = copyOf(fields); // before the checks, since another thread may change the fields
        if (copy.size() > Limits.MAX_FIELDS) {
            throw new IllegalArgumentException(
                    "an entry with " + copy.size() + " fields: at most " + Limits.MAX_FIELDS + " are allowed");
        }
        long bytes = bytesOf(copy);
        if (bytes > Limits.MAX_FIELDS_BYTES) {
            throw new IllegalArgumentException(
                    "an entry with " + bytes + " bytes of fields: at most " + Limits.MAX_FIELDS_BYTES + " are allowed");
        }
        return copy;
    }

    /**
     * Returns the size of the fields as {@link Limits#MAX_FIELDS_BYTES} counts it.
     *
     * @throws IllegalArgumentException if a name or value is not valid, naming the field
     */
    public static long bytesOf(Map<String, ?> fields) {
        long bytes = 0;
        Map<String, ?> all = fields instanceof ImmutableFields copy ? copy.values : fields;
        for (Map.Entry<String, ?> field : all.entrySet()) {
            bytes += Limits.utf8Length("field name", Limits.checkName("field name", field.getKey()));
            bytes += valueBytes(field.getKey(), field.getValue());
        }
        return bytes;
    }

    private static long valueBytes(String field, @Nullable Object value) {
        if (value instanceof String text) {
            return Limits.utf8Length("field '" + field + "'", text);
        }
        if (value instanceof byte[] array) {
            return array.length;
        }
        if (value instanceof Instant instant) {
            return checkInstant(field, instant);
        }
        if (value instanceof Long || value instanceof Double || value instanceof Boolean) {
            return 8;
        }
        throw new IllegalArgumentException("field '" + field + "' holds "
                + (value == null ? "null" : "a " + value.getClass().getName())
                + ": use String, Long, Double, Boolean, Instant or byte[]");
    }

    private static int checkInstant(String field, Instant instant) {
        if (!instant.equals(instant.truncatedTo(ChronoUnit.MILLIS))) {
            throw new IllegalArgumentException("field '" + field + "' holds " + instant
                    + ", finer than a millisecond: truncate it to milliseconds");
        }
        if (instant.isBefore(FIRST_INSTANT) || instant.isAfter(LAST_INSTANT)) {
            throw new IllegalArgumentException(
                    "field '" + field + "' holds " + instant + ": use the years 0001 to 9999");
        }
        return 8;
    }

    /**
     * Fields that cannot be changed, so that a request, its entry and the readers of that entry share one copy. Byte
     * arrays, the only mutable values, are cloned when the fields are created and each time they are read.
     */
    private static final class ImmutableFields extends AbstractMap<String, Object> {
        private final Map<String, Object> values = new LinkedHashMap<>();
        private final Set<Map.Entry<String, Object>> entries = new Entries();

        ImmutableFields(Map<String, ?> fields) {
            fields.forEach((name, value) -> values.put(name, copyOf(value)));
        }

        private static Object copyOf(Object value) {
            return value instanceof byte[] bytes ? bytes.clone() : value;
        }

        @Override
        public @Nullable Object get(@Nullable Object name) {
            Object value = values.get(name);
            return value == null ? null : copyOf(value);
        }

        @Override
        public boolean containsKey(@Nullable Object name) {
            return values.containsKey(name);
        }

        @Override
        public Set<Map.Entry<String, Object>> entrySet() {
            return entries;
        }

        private final class Entries extends AbstractSet<Map.Entry<String, Object>> {
            @Override
            public int size() {
                return values.size();
            }

            @Override
            public Iterator<Map.Entry<String, Object>> iterator() {
                Iterator<Map.Entry<String, Object>> stored = values.entrySet().iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return stored.hasNext();
                    }

                    @Override
                    public Map.Entry<String, Object> next() {
                        Map.Entry<String, Object> field = stored.next();
                        return new SimpleImmutableEntry<>(field.getKey(), copyOf(field.getValue()));
                    }
                };
            }
        }
    }
}
