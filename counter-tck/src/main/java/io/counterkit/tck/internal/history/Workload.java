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
         * @param isSealed whether the workload may seal the object
         * @param isListedAtOnce whether the store's lists show each change immediately
         */
        Workload create(String name, Random random, boolean isSealed, boolean isListedAtOnce);
    }

    /**
     * Carries out one random operation and returns when it has answered.
     *
     * @param process the index of the process
     * @param counters the process
     */
    void step(int process, Counters counters, Random random);

    /** Reads the object after all operations and faults have ended. */
    void finish(int process, Counters counters);

    /** Checks the history. Called after all operations have answered. */
    Checked check();

    /**
     * What a check found.
     *
     * @param violation a shortened history that is impossible, with a line for each operation; null if none was found
     * @param isDecided whether the history is legal if there is no violation; false if the search reached its limit
     */
    record Checked(@Nullable String violation, boolean isDecided) {}
}
