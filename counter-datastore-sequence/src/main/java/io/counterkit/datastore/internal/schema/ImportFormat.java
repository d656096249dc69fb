package io.counterkit.datastore.internal.schema;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.Entry;
import io.counterkit.spi.ImportedState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;

/**
 * What an import stores, besides what {@link DatastoreSchema} tells. The kind {@code …Import} holds a marker for each
 * name: what it began with, for good.
 *
 * <p>A counter begins with an entry like others that carries the total. A sequence that begins with the number
 * {@code last} + 1 has two places before that: number 1, which whoever appends first wants to create as well, and number
 * {@code last}, the predecessor of what is appended next. These two, and every entry that is copied, carry the last
 * number and the live count of the import as their {@code runEnd} and {@code value}: whichever of them is met, from where
 * it leads is known. A place is an entry once it was copied.
 */
public record ImportFormat(DatastoreSchema schema) {
    private static final String ORIGIN = "origin";
    private static final String PRESENT = "present";
    private static final String LAST = "last";
    private static final String IMPORTED = "imported";
    private static final String LIVE_COUNT = "liveCount";

    public Entity marker(ChainName chain, ImportedState base) {
        Entity marker = new Entity(schema.importKey(chain));
        marker.setUnindexedProperty(ORIGIN, base.origin());
        marker.setUnindexedProperty(PRESENT, base.isPresent());
        marker.setUnindexedProperty(DatastoreSchema.VALUE, base.value());
        marker.setUnindexedProperty(LAST, base.last());
        return marker;
    }

    public static ImportedState base(Entity marker) {
        EntityReader stored = new EntityReader("import", marker);
        String origin = stored.text(ORIGIN);
        long last = stored.number(LAST);
        if (origin.isEmpty() || last < 0) {
            throw stored.corrupt(last < 0 ? LAST : ORIGIN);
        }
        return new ImportedState(origin, stored.flag(PRESENT), stored.number(DatastoreSchema.VALUE), last);
    }

    /** The places that a sequence with entries begins with. */
    public List<Entity> places(String sequence, ImportedState base) {
        List<Entity> places = new ArrayList<>();
        places.add(place(sequence, 1, base));
        if (base.last() > 1) {
            places.add(place(sequence, base.last(), base));
        }
        return places;
    }

    private Entity place(String sequence, long number, ImportedState base) {
        Entity place = new Entity(key(sequence, number));
        place.setUnindexedProperty(DatastoreSchema.NUMBER, number);
        place.setUnindexedProperty(DatastoreSchema.RUN_END, base.last());
        place.setUnindexedProperty(DatastoreSchema.VALUE, base.value());
        place.setUnindexedProperty(IMPORTED, true);
        return place;
    }

    public Key key(String sequence, long number) {
        return schema.entryKey(ChainName.sequence(sequence), number);
    }

    /** An entry from before the import, with the live count that it had; also in place of a place. */
    public Entity copy(String sequence, Entry entry, ImportedState base) {
        Entity copy = place(sequence, entry.number(), base);
        copy.setUnindexedProperty(DatastoreSchema.AT, Date.from(entry.appendedAt()));
        copy.setUnindexedProperty(DatastoreSchema.CHANGE, entry.change().name());
        copy.setUnindexedProperty(LIVE_COUNT, entry.liveCount());
        if (entry.subject() != null) {
            copy.setUnindexedProperty(DatastoreSchema.SUBJECT, entry.subject());
        }
        if (!entry.erased()) {
            copy.setUnindexedProperty(EntryFields.PROPERTY, EntryFields.encode(entry.fields()));
        }
        return copy;
    }

    /** The entry of a counter that begins with {@code base}, or begins anew. */
    public Entity total(String counter, ImportedState base, long number, Instant at) {
        return schema.counterEntry(
                counter,
                DatastoreSchema.CounterChange.IMPORT,
                base.value(),
                number,
                new Total(base.value(), false),
                at,
                null);
    }

    /** Whether this is from before the import of its sequence: a place or a copied entry. */
    static boolean isImported(Entity entity) {
        return entity.hasProperty(IMPORTED);
    }

    /** Whether this is an entry, and no place for one that is not copied. */
    public static boolean isEntry(Entity entity) {
        return entity.hasProperty(DatastoreSchema.CHANGE);
    }

    /** The live count right after an entry. */
    static long liveCount(ChainEntry link) {
        return link.isImported() ? new EntityReader("entry", link.entity()).number(LIVE_COUNT) : link.value();
    }
}
