package io.counterkit.spi;

import java.util.Objects;

/**
 * The final state of a counter or sequence in another store, where it is sealed. It is the state that the imported name
 * starts with.
 *
 * @param origin the application's name of the other store, the same in every process; not empty
 * @param isPresent whether the other store had the counter or sequence; an absent one is imported and stays absent
 * @param value the total of a counter, or the live count of a sequence; any {@code long}
 * @param last the last number of a sequence, 0 to {@value Limits#MAX_IMPORTED_LAST}; 0 for a counter
 */
public record ImportedState(String origin, boolean isPresent, long value, long last) {
    /** @throws IllegalArgumentException if {@code origin} is empty, or {@code last} is out of range */
    public ImportedState {
        Objects.requireNonNull(origin, "origin");
        if (origin.isEmpty()) {
            throw new IllegalArgumentException("the origin is empty: use the application's name of the other store");
        }
        if (last < 0 || last > Limits.MAX_IMPORTED_LAST) {
            throw new IllegalArgumentException("last number " + last + ": use 0 to " + Limits.MAX_IMPORTED_LAST);
        }
    }
}
