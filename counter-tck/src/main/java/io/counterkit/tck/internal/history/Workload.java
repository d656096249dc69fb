package io.counterkit.tck.internal.history;

import io.counterkit.Counters;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random operations of several processes on one object, recorded. Thread-safe. */
public interface Workload {
    /** Creates the workload of one object. */
    interface Factory {
        /**
         * Returns the workload of the object of this name, which was never used before.
         *
         * @param isSealed whether the object may be sealed on the way
         */
        Workload create(String name, Random random, boolean isSealed);
    }

    /**
     * Carries out one random operation and returns when it has answered.
     *
     * @param process which process this is
     * @param counters the process
     */
    void step(int process, Counters counters, Random random);

    /** Reads the object when nothing is in the way any more, and nothing is on its way. */
    void finish(int process, Counters counters);

    /**
     * Returns a short history that is impossible, a line for each operation, or null if the history is legal. Called when
     * all operations have answered.
     */
    @Nullable String violation();
}
