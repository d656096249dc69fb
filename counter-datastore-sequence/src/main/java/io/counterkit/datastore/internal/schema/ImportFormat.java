package io.counterkit.datastore.internal.schema;

import com.google.appengine.api.datastore.Entity;
import io.counterkit.Entry;
import io.counterkit.spi.ImportedState;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;

/**
 * What an import stores. The marker of a name holds its imported state for good.
 *
 * <p>A counter begins with an ordinary entry that carries the total. A sequence whose next number is {@code last} + 1
 * begins with two places: number 1, which the first append to an empty sequence would create too, and number {@code last},
 * the predecessor of the next entry. These two places and every entry that is copied carry the last number and the live
 * count of the import as their {@code runEnd} and {@code value}, so that any of them shows where the chain continues. A
 * place becomes an entry when its entry is copied.
 */
public final class ImportFormat {
    private static final String ORIGIN = "origin";
    private static final String PRESENT = "present";
    private static final String LAST = "last";
    private static final String IMPORTED = "imported";
    private static final String LIVE_COUNT = "liveCount";

    private ImportFormat() {}

    /** Creates the marker of an import. */
    public static Entity marker(DatastoreKeys keys, ChainName chain, ImportedState state) {
        Entity marker = new Entity(keys.imported(chain));
        marker.setUnindexedProperty(ORIGIN, state.origin());
        marker.setUnindexedProperty(PRESENT, state.isPresent());
        marker.setUnindexedProperty(ChainEntry.VALUE, state.value());
        marker.setUnindexedProperty(LAST, state.last());
        return marker;
    }

    /** Reads the marker of an import. */
    public static ImportedState read(Entity marker) {
        EntityReader stored = new EntityReader("import", marker);
        String origin = stored.text(ORIGIN);
        long last = stored.number(LAST);
        if (origin.isEmpty() || last < 0) {
            throw stored.corrupt(last < 0 ? LAST : ORIGIN);
        }
        return new ImportedState(origin, stored.flag(PRESENT), stored.number(ChainEntry.VALUE), last);
    }

    /** Creates the places that an imported sequence with entries begins with. */
    public static List<Entity> places(DatastoreKeys keys, ChainName sequence, ImportedState state) {
        List<Entity> places = new ArrayList<>();
        places.add(place(keys, sequence, 1, state));
        if (state.last() > 1) {
            places.add(place(keys, sequence, state.last(), state));
        }
        return places;
    }

    private static Entity place(DatastoreKeys keys, ChainName sequence, long number, ImportedState state) {
        Entity place = new Entity(keys.entry(sequence, number));
        place.setUnindexedProperty(ChainEntry.NUMBER, number);
        place.setUnindexedProperty(ChainEntry.RUN_END, state.last());
        place.setUnindexedProperty(ChainEntry.VALUE, state.value());
        place.setUnindexedProperty(IMPORTED, true);
        return place;
    }

    /** Creates the copy of an entry from before the import. It may replace a place. */
    public static Entity copy(DatastoreKeys keys, ChainName sequence, Entry entry, ImportedState state) {
        Entity copy = place(keys, sequence, entry.number(), state);
        copy.setUnindexedProperty(ChainEntry.AT, Date.from(entry.appendedAt()));
        copy.setUnindexedProperty(ChainEntry.CHANGE, entry.change().name());
        copy.setUnindexedProperty(LIVE_COUNT, entry.liveCount());
        if (entry.subject() != null) {
            copy.setUnindexedProperty(ChainEntry.SUBJECT, entry.subject());
        }
        if (!entry.erased()) {
            copy.setUnindexedProperty(EntryFields.PROPERTY, EntryFields.encode(entry.fields()));
        }
        return copy;
    }

    /** Returns whether this is a place or a copied entry from before an import. */
    static boolean isImported(Entity entity) {
        return entity.hasProperty(IMPORTED);
    }

    /** Returns whether this is an entry, and not a place whose entry is not copied. */
    public static boolean isEntry(Entity entity) {
        return entity.hasProperty(ChainEntry.CHANGE);
    }

    /** Returns the live count after a copied entry. */
    static long liveCount(EntityReader copy) {
        return copy.number(LIVE_COUNT);
    }
}
