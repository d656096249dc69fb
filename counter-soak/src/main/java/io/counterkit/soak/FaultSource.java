package io.counterkit.soak;

/** Injects faults into the calls of a backend to its store during a soak. Used by one thread at a time. */
public interface FaultSource {
    /**
     * Starts injecting faults: a call fails, loses its reply or is held back.
     *
     * @param probability the probability of a fault in a call, above 0 and below 1
     * @param seed the seed of the random numbers
     */
    void start(double probability, long seed);

    /** Lets some of the held calls proceed; called repeatedly while faults happen. */
    void release();

    /** Stops injecting faults, and lets every held call proceed. */
    void stop();

    /** Returns the number of faults so far. */
    long count();
}
