package io.counterkit.spi;

import java.util.Objects;

/**
 * What a counter or sequence begins with that was imported from another store, where it is sealed.
 *
 * @param origin what the application calls that other store; the same for every process
 * @param isPresent whether the other store held it; an absent one is imported too, and stays absent
 * @param value the final total of a counter, the final live count of a sequence
 * @param last the last number of a sequence; 0 for a counter
 */
public record ImportedState(String origin, boolean isPresent, long value, long last) {
    public ImportedState {
        Objects.requireNonNull(origin, "origin");
        if (origin.isEmpty() || last < 0) {
            throw new IllegalArgumentException(
                    "an origin and a last number from 0 on are needed, not '" + origin + "' and " + last);
        }
    }
}
