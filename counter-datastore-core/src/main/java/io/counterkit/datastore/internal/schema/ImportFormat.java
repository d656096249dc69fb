package io.counterkit.datastore.internal.schema;

import io.counterkit.Entry;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.spi.ImportedState;
import java.util.ArrayList;
import java.util.List;

/**
 * The stored form of an import. The marker of a name holds its imported state permanently.
 *
 * <p>A counter begins with an ordinary entry that carries the total. A sequence whose next number is {@code last} + 1
 * begins with two places: number 1, which the first append to an empty sequence would create too, and number {@code
 * last}, the predecessor of the next entry. These two places and every copied entry contain the last number and the
 * live count of the import as their {@code runEnd} and {@code value}, so each of them states where the chain continues.
 * A place becomes an entry when its entry is copied.
 */
public final class ImportFormat {
    private static final String ORIGIN = "origin";
    private static final String PRESENT = "present";
    private static final String LAST = "last";
    private static final String IMPORTED = "imported";
    private static final String LIVE_COUNT = "liveCount";

    private ImportFormat() {}

    /** Creates the marker of an import. */
    public static StoreEntity marker(DatastoreKeys keys, ChainName chain, ImportedState state) {
        StoreEntity marker = new StoreEntity(keys.imported(chain));
        marker.set(ORIGIN, state.origin());
        marker.set(PRESENT, state.isPresent());
        marker.set(ChainEntry.VALUE, state.value());
        marker.set(LAST, state.last());
        return marker;
    }

    /** Reads the marker of an import. */
    public static ImportedState read(StoreEntity marker) {
        EntityReader stored = new EntityReader("import", marker);
        String origin = stored.text(ORIGIN);
        long last = stored.number(LAST);
        if (origin.isEmpty() || last < 0) {
            throw stored.corrupt(last < 0 ? LAST : ORIGIN);
        }
        return new ImportedState(origin, stored.flag(PRESENT), stored.number(ChainEntry.VALUE), last);
    }

    /** Creates the places that an imported sequence with entries begins with. */
    public static List<StoreEntity> places(DatastoreKeys keys, ChainName sequence, ImportedState state) {
        List<StoreEntity> places = new ArrayList<>();
        places.add(place(keys, sequence, 1, state));
        if (state.last() > 1) {
            places.add(place(keys, sequence, state.last(), state));
        }
        return places;
    }

    private static StoreEntity place(DatastoreKeys keys, ChainName sequence, long number, ImportedState state) {
        StoreEntity place = new StoreEntity(keys.entry(sequence, number));
        place.set(ChainEntry.NUMBER, number);
        place.set(ChainEntry.RUN_END, state.last());
        place.set(ChainEntry.VALUE, state.value());
        place.set(IMPORTED, true);
        return place;
    }

    /** Creates the copy of an entry from before the import. It may replace a place. */
    public static StoreEntity copy(DatastoreKeys keys, ChainName sequence, Entry entry, ImportedState state) {
        StoreEntity copy = place(keys, sequence, entry.number(), state);
        copy.set(ChainEntry.AT, entry.appendedAt());
        copy.set(ChainEntry.CHANGE, entry.change().name());
        copy.set(LIVE_COUNT, entry.liveCount());
        if (entry.subject() != null) {
            copy.set(ChainEntry.SUBJECT, entry.subject());
        }
        if (!entry.erased()) {
            copy.set(EntryFields.PROPERTY, EntryFields.encode(entry.fields()));
        }
        return copy;
    }

    /** Returns whether this is a place or a copied entry from before an import. */
    static boolean isImported(StoreEntity entity) {
        return entity.has(IMPORTED);
    }

    /** Returns whether this is an entry, and not a place whose entry is not copied. */
    public static boolean isEntry(StoreEntity entity) {
        return entity.has(ChainEntry.CHANGE);
    }

    /** Returns the live count after a copied entry. */
    static long liveCount(EntityReader copy) {
        return copy.number(LIVE_COUNT);
    }
}
