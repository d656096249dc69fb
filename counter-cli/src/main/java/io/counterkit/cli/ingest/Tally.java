package io.counterkit.cli.ingest;

import io.counterkit.AsyncCounter;

/** What this run has added to one counter. Used by one thread. */
final class Tally {
    private final AsyncCounter counter;
    private long adds;
    private long sum;
    private boolean uncertain;

    Tally(AsyncCounter counter) {
        this.counter = counter;
    }

    AsyncCounter counter() {
        return counter;
    }

    String name() {
        return counter.name();
    }

    void applied(long delta) {
        adds++;
        sum += delta; // one that wraps here is outside ±2^62 in the store too, which says so
    }

    /** Nobody knows whether one of the adds was applied. */
    void doubt() {
        uncertain = true;
    }

    /** How many adds were applied. */
    long adds() {
        return adds;
    }

    /** What they come to. */
    long sum() {
        return sum;
    }

    boolean isUncertain() {
        return uncertain;
    }
}
