package io.counterkit.firestore.internal.extension;

import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Transaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A document of a collection {@code _counter_shards_}, as the extension's clients and functions write it.
 *
 * <p>A <em>shard</em> belongs to one client, has a random id, and holds the sum of the client's adds since the shard
 * was created. A <em>partial</em> has an id that starts with a tab. The extension's function moves shards into a
 * partial: it appends maps to the list {@code _updates_}, each with a random {@code _id_} and with {@code _data_}, the
 * fields of a shard. The value of a partial is the sum of all updates, negative ones included.
 */
final class ExtensionShard {
    static final String COLLECTION = "_counter_shards_";

    private static final String UPDATES = "_updates_";
    private static final String DATA = "_data_";

    private final DocumentSnapshot document;
    private final Map<String, Object> data;

    ExtensionShard(DocumentSnapshot document) {
        this.document = document;
        this.data = Objects.requireNonNull(document.getData());
    }

    String id() {
        return document.getId();
    }

    private boolean isPartial() {
        return id().startsWith("\t");
    }

    /**
     * Returns whether the document holds no value. The extension's worker leaves such a partial if the values that it
     * moved add up to 0, and deletes it after half a minute.
     */
    boolean isEmpty() {
        return data.isEmpty()
                || (isPartial() && data.size() == 1 && data.get(UPDATES) instanceof List<?> all && all.isEmpty());
    }

    Amount amount(CountedField field) {
        if (!isPartial()) {
            return field.in(data);
        }
        if (!(data.getOrDefault(UPDATES, List.of()) instanceof List<?> updates)) {
            return Amount.invalid("its updates are not a list");
        }
        Amount sum = Amount.ABSENT;
        for (Object update : updates) {
            sum = sum.plus(
                    update instanceof Map<?, ?> map && map.get(DATA) instanceof Map<?, ?> fields
                            ? field.in(fields)
                            : Amount.invalid("an update is " + Amount.shown(String.valueOf(update))));
        }
        return sum;
    }

    /** Adds the names of all fields that are counted here to {@code names}. */
    void addFields(Collection<String> names) {
        if (!isPartial()) {
            CountedField.numbersIn(data, "", names);
        } else if (data.get(UPDATES) instanceof List<?> updates) {
            for (Object update : updates) {
                if (update instanceof Map<?, ?> map && map.get(DATA) instanceof Map<?, ?> fields) {
                    CountedField.numbersIn(fields, "", names);
                }
            }
        }
    }

    /**
     * Removes fields from the document as part of a transaction that has read it, and deletes it if nothing is left.
     */
    void remove(Collection<CountedField> fields, Transaction transaction) {
        Map<String, Object> left = isPartial() ? partialWithout(fields) : without(data, fields);
        if (left.isEmpty()) {
            transaction.delete(document.getReference());
        } else if (isPartial()) {
            transaction.update(document.getReference(), UPDATES, left.get(UPDATES));
        } else {
            for (CountedField field : fields) {
                transaction.update(document.getReference(), field.path(), FieldValue.delete());
            }
        }
    }

    private Map<String, Object> partialWithout(Collection<CountedField> fields) {
        List<Map<String, Object>> updates = new ArrayList<>();
        if (data.get(UPDATES) instanceof List<?> all) {
            for (Object update : all) {
                Map<String, Object> copy = copy((Map<?, ?>) update);
                Map<String, Object> rest = without(copy((Map<?, ?>) Objects.requireNonNull(copy.get(DATA))), fields);
                if (!rest.isEmpty()) {
                    copy.put(DATA, rest);
                    updates.add(copy);
                }
            }
        }
        return updates.isEmpty() ? Map.of() : Map.of(UPDATES, updates);
    }

    private static Map<String, Object> copy(Map<?, ?> map) {
        Map<String, Object> copy = new HashMap<>();
        map.forEach((key, value) -> copy.put((String) key, value));
        return copy;
    }

    /** Returns a document without some fields, without nulls, and without empty maps. */
    private static Map<String, Object> without(Map<String, Object> data, Collection<CountedField> fields) {
        Map<String, Object> left = copy(data);
        fields.forEach(field -> remove(left, field.segments()));
        prune(left);
        return left;
    }

    private static void remove(Map<String, Object> data, List<String> segments) {
        String first = segments.get(0);
        if (segments.size() == 1) {
            data.remove(first);
        } else if (data.get(first) instanceof Map<?, ?> inner) {
            Map<String, Object> copy = copy(inner);
            remove(copy, segments.subList(1, segments.size()));
            data.put(first, copy);
        }
    }

    private static void prune(Map<String, Object> data) {
        data.replaceAll((key, value) -> {
            if (!(value instanceof Map<?, ?> inner)) {
                return value;
            }
            Map<String, Object> copy = copy(inner);
            prune(copy);
            return copy;
        });
        data.values().removeIf(value -> value == null || (value instanceof Map<?, ?> map && map.isEmpty()));
    }
}
