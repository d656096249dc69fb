package io.counterkit;

import java.util.Objects;

/**
 * The end of a counter or a sequence in this store. A seal is no entry and uses up no number.
 *
 * @param forward where the content lives on, in whatever form the application understands; never empty
 * @param last the last number of a sequence; for a counter its final total
 * @param liveCount how many entries of a sequence were live; for a counter its final total
 */
public record Seal(String forward, long last, long liveCount) {
    public Seal {
        Objects.requireNonNull(forward, "forward");
        if (forward.isEmpty()) {
            throw new IllegalArgumentException("forward is empty: name the place where the content lives on");
        }
    }
}
