package io.counterkit.cli.ingest;

import io.counterkit.AsyncCounter;
import io.counterkit.IdempotencyToken;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The adds of this run to one counter, by outcome. Used by one thread. */
final class Tally {
    private final AsyncCounter counter;
    private final List<Unknown> unknown = new ArrayList<>(0);
    private NotApplied notApplied;
    private long adds;
    private long sum;

    /** What is to be added for the lines of a part; null if there is nothing yet. */
    Parts.@Nullable Add inPart;

    Tally(AsyncCounter counter) {
        this.counter = counter;
        this.notApplied = new NotApplied(counter.name(), 0, 0, "");
    }

    /**
     * Adds to one counter that were not applied.
     *
     * @param adds how many
     * @param sum the sum of their deltas
     * @param why the reason of the last one
     */
    record NotApplied(String name, long adds, long sum, String why) {}

    /** An add with an unknown outcome, which its token decides once the store answers. */
    record Unknown(String name, long delta, String token) {}

    AsyncCounter counter() {
        return counter;
    }

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

    /** Returns how many adds were applied. */
    long adds() {
        return adds;
    }

    /** Returns the sum of the deltas that were applied. */
    long sum() {
        return sum;
    }

    NotApplied notApplied() {
        return notApplied;
    }

    List<Unknown> unknown() {
        return unknown;
    }
}
