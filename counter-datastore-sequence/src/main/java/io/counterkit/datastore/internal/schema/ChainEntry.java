package io.counterkit.datastore.internal.schema;

import com.google.appengine.api.datastore.Entity;
import io.counterkit.Seal;
import org.jspecify.annotations.Nullable;

/**
 * One place of a chain: an entry, the seal that ends it, or where an import begins.
 *
 * @param number its number
 * @param runEnd the last number of the run that one transaction made, this one's: whoever sees it knows that those up to
 *     there exist too; of an imported one the last number of the import, which exists, while others before it may not
 * @param value the total of a counter, or the live count of a sequence, right after {@code runEnd} if it is imported,
 *     else right after it
 * @param overflown whether the total was once larger than the store holds, so that it is not known until a reset
 * @param absent whether this is the deletion of a counter
 * @param seal the seal, or null for an entry
 * @param entity what is stored
 */
public record ChainEntry(
        long number,
        long runEnd,
        long value,
        boolean overflown,
        boolean absent,
        @Nullable Seal seal,
        Entity entity) {
    /** Whether this is from before the import of its sequence. */
    public boolean isImported() {
        return ImportFormat.isImported(entity);
    }

    /** Whether this is an entry: no seal, and no place for an entry that is not copied. */
    public boolean isEntry() {
        return seal == null && ImportFormat.isEntry(entity);
    }
}
