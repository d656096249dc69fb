package io.counterkit.datastore;

import com.google.appengine.api.datastore.Entity;
import io.counterkit.Seal;
import org.jspecify.annotations.Nullable;

/**
 * One place of a chain: an entry, or the seal that ends it.
 *
 * @param number its number
 * @param runEnd the last number of the run that one transaction made, this one's: whoever sees it knows that those up to
 *     there exist too
 * @param value the total of a counter, or the live count of a sequence, right after it
 * @param overflown whether the total was once larger than the store holds, so that it is not known until a reset
 * @param absent whether this is the deletion of a counter
 * @param seal the seal, or null for an entry
 * @param entity what is stored
 */
record Link(
        long number,
        long runEnd,
        long value,
        boolean overflown,
        boolean absent,
        @Nullable Seal seal,
        Entity entity) {}
