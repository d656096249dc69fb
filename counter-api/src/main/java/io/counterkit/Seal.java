package io.counterkit;

import java.io.Serializable;
import java.util.Objects;

/**
 * The end of a counter or sequence in this store. A seal is not an entry and uses no number.
 *
 * @param forward the address where the counter or sequence continues, as the application wrote it; not empty
 * @param last the last number of a sequence, or the final total of a counter
 * @param liveCount the final live count of a sequence, or the final total of a counter
 */
public record Seal(String forward, long last, long liveCount) implements Serializable {
    /** @throws IllegalArgumentException if {@code forward} is empty */
    public Seal {
        Objects.requireNonNull(forward, "forward");
        if (forward.isEmpty()) {
            throw new IllegalArgumentException("forward is empty: name the place where it continues");
        }
    }
}
