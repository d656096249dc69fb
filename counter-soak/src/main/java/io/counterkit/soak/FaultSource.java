package io.counterkit.soak;

/** Disturbs the calls of a backend to its store during a soak. Used by one thread at a time. */
public interface FaultSource {
    /**
     * Starts to let calls fail, lose their reply or be held back.
     *
     * @param probability the probability with which a call is disturbed, above 0 and below 1
     * @param seed the seed of the random numbers
     */
    void start(double probability, long seed);

    /** Lets some of the held calls proceed; called repeatedly while faults happen. */
    void release();

    /** Stops disturbing calls, and lets every held call proceed. */
    void stop();

    /** Returns how many calls were disturbed so far. */
    long count();
}
