package io.counterkit.cli.soak;

import java.time.Duration;

/**
 * What a soak is to do.
 *
 * @param duration when to end at the latest
 * @param operations how many operations to end after
 * @param faults the probability with which a call to the store is disturbed; 0 for none
 * @param seed what the random numbers of the workers and the faults start from
 */
record SoakPlan(
        int workers, int counters, int sequences, Duration duration, long operations, double faults, long seed) {
    SoakPlan {
        if (workers < 1) {
            throw new IllegalArgumentException("--workers " + workers + ": use 1 or more");
        }
        if (counters < 0 || sequences < 0 || counters + sequences < 1) {
            throw new IllegalArgumentException(
                    "--counters " + counters + " --sequences " + sequences + ": use 0 or more, and not 0 of both");
        }
        if (operations < 1) {
            throw new IllegalArgumentException("--operations " + operations + ": use 1 or more");
        }
        if (!(faults >= 0 && faults < 1)) {
            throw new IllegalArgumentException("--faults " + faults + ": use a probability from 0 to less than 1");
        }
    }
}
