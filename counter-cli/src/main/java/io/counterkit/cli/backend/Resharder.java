package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;

/** Spreads a counter over another number of shards, where a backend has them. */
public interface Resharder {
    /**
     * Gives the counter this many shards while it is in use. Harmless to repeat.
     *
     * @throws IllegalArgumentException if a counter cannot have so many
     * @throws NotAppliedException if there is no such counter, or nothing was changed
     * @throws OutcomeUnknownException if the store did not say how far it came; the total is right all the same
     */
    void reshard(String counter, int shards);
}
