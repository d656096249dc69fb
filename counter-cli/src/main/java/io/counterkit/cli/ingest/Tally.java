package io.counterkit.cli.ingest;

import io.counterkit.AsyncCounter;
import io.counterkit.IdempotencyToken;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The adds of this run to one counter, by outcome. Used by one thread. */
final class Tally {
    final AsyncCounter counter;
    final List<Unknown> unknown = new ArrayList<>(0);
    NotApplied notApplied;

    /** The number of adds that were applied. */
    long adds;

    /** The sum of the deltas that were applied. */
    long sum;

    /** The add for the lines of the current part; null if there is none yet. */
    @Nullable PendingAdd inPart;

    Tally(AsyncCounter counter) {
        this.counter = counter;
        this.notApplied = new NotApplied(counter.name(), 0, 0, "");
    }

    /**
     * Adds to one counter that were not applied.
     *
     * @param adds the number of adds
     * @param sum the sum of their deltas
     * @param why the reason of the last one
     */
    record NotApplied(String name, long adds, long sum, String why) {}

    /** An add with an unknown outcome, which its token decides once the store answers. */
    record Unknown(String name, long delta, String token) {}

    String name() {
        return counter.name();
    }

    void applied(long delta, long lines) {
        adds += lines;
        sum += delta; // a sum that wraps is outside ±2^62 in the store too, which reports it
    }

    void notApplied(long delta, long lines, String why) {
        notApplied = new NotApplied(name(), notApplied.adds + lines, notApplied.sum + delta, why);
    }

    void unknown(long delta, IdempotencyToken token) {
        unknown.add(new Unknown(name(), delta, token.value()));
    }
}
