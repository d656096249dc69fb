package io.counterkit.datastore.internal.adopt;

import io.counterkit.Change;
import io.counterkit.IdempotencyToken;
import io.counterkit.NumberRange;
import io.counterkit.datastore.adopt.Adoption;
import io.counterkit.datastore.adopt.AdoptionReport;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.DatastoreKeys;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreRecord;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Fields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks records in the order of their numbers, and creates the entry of each. */
final class AdoptionCheck {
    private static final int MOST_FAULTS = 100;

    private final DatastoreKeys keys;
    private final String sequence;
    private final Adoption adoption;
    private final Instant now;
    private final List<NumberRange> gaps = new ArrayList<>();
    private final List<Long> duplicates = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private long records;
    private long last;
    private long count;

    AdoptionCheck(DatastoreKeys keys, String sequence, Adoption adoption, Instant now) {
        this.keys = keys;
        this.sequence = sequence;
        this.adoption = adoption;
        this.now = now;
    }

    AdoptionReport report(boolean adopted) {
        return new AdoptionReport(records, last, gaps, duplicates, faults, adopted);
    }

    /** Returns the entry of the next record; null if the record has a fault. */
    @Nullable StoreEntity check(StoreRecord record) {
        records++;
        if (!(record.values().get(adoption.numberProperty()) instanceof Long number) || number < 1) {
            fault(
                    record,
                    "'" + adoption.numberProperty() + "' holds "
                            + record.values().get(adoption.numberProperty())
                            + ", which is not a whole number of 1 or more");
            return null;
        }
        if (number == last) {
            if (duplicates.isEmpty() || duplicates.get(duplicates.size() - 1) != last) {
                duplicates.add(number);
            }
            return null;
        }
        if (number > last + 1) {
            gaps.add(new NumberRange(last + 1, number - 1));
        }
        last = number;
        Change change = change(record);
        Map<String, Object> fields = fields(record);
        if (change == null || fields == null) {
            return null;
        }
        return ChainEntry.ofAppend(
                keys,
                sequence,
                new AppendRequest(change, null, fields, null),
                new ChainTail(number, count, false, false, null, null),
                now,
                IdempotencyToken.of("adopted:" + adoption.kind() + ":" + number));
    }

    private @Nullable Change change(StoreRecord record) {
        if (adoption.countProperty() == null) {
            count++;
            return Change.ADDED;
        }
        if (!(record.values().get(adoption.countProperty()) instanceof Long after)) {
            fault(record, "'" + adoption.countProperty() + "' holds no count");
            return null;
        }
        long delta = after - count;
        count = after;
        for (Change change : Change.values()) {
            if (change.delta() == delta) {
                return change;
            }
        }
        fault(record, "'" + adoption.countProperty() + "' goes from " + (after - delta) + " to " + after);
        return null;
    }

    private @Nullable Map<String, Object> fields(StoreRecord record) {
        Map<String, Object> fields = new HashMap<>();
        record.values().forEach((name, value) -> {
            boolean isKept = !name.equals(adoption.numberProperty()) && !name.equals(adoption.countProperty());
            if (isKept && value != null) {
                fields.put(name, field(value));
            }
        });
        if (adoption.keyField() != null) {
            fields.put(adoption.keyField(), record.key());
        }
        try {
            return Fields.check(fields);
        } catch (IllegalArgumentException e) {
            fault(record, String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Returns a value that an entry can hold; values of other types as text. */
    private static Object field(Object value) {
        boolean isKept = value instanceof Long
                || value instanceof Double
                || value instanceof Boolean
                || value instanceof Instant
                || value instanceof byte[];
        return isKept ? value : value.toString();
    }

    private void fault(StoreRecord record, String what) {
        if (faults.size() < MOST_FAULTS) {
            faults.add(record.key() + ": " + what);
        }
    }
}
