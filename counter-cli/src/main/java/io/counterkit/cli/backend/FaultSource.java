package io.counterkit.cli.backend;

/** Disturbs calls on their way to a store, so that a soak sees what becomes of them. Used by one thread. */
public interface FaultSource {
    /** From now on lets each call fail, lose its reply or be held back, together with this probability. */
    void start(double probability, long seed);

    /** Lets go what is held back; called every now and then while faults happen. */
    void release();

    /** Disturbs nothing more and holds nothing back. */
    void stop();

    /** How many calls were disturbed so far. */
    long count();
}
