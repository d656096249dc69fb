package io.counterkit.benchmarks.firestore;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;

/** The adds of an application in a month. */
enum MonthlyLoad {
    IDLE("idle", 100, 1, 0.1),
    TYPICAL("typical", 2_000, 5, 100),
    ZIPF("Zipf", 10_000, 4, 1_000),
    HOT("hot", 1, 4, 1_000);

    static final String HEADING =
            "| load | counters | processes | adds a second | million adds a month |\n|---|---|---|---|---|";

    private static final Duration MONTH = Duration.ofDays(30);

    /**
     * Below this rate of all processes together, the adds of a process come one after another, and are never merged.
     */
    private static final double MERGES_ABOVE = 500;

    private final String label;
    private final int counters;
    private final int processes;
    private final double perSecond;

    MonthlyLoad(String label, int counters, int processes, double perSecond) {
        this.label = label;
        this.counters = counters;
        this.processes = processes;
        this.perSecond = perSecond;
    }

    String label() {
        return label;
    }

    int processes() {
        return processes;
    }

    double perSecond() {
        return perSecond;
    }

    double perMonth() {
        return perSecond * MONTH.toSeconds();
    }

    /** Returns whether adds have to arrive at their real rate so that they are merged as in production. */
    boolean isPaced() {
        return perSecond > MERGES_ABOVE;
    }

    /** Returns how many counters to measure: of those that never share a commit, a sample stands for all. */
    int measured(int sample) {
        return isPaced() ? counters : Math.min(counters, sample);
    }

    /** Returns a supplier of the counter of each add, as a number below {@link #measured}. */
    IntSupplier draws(int sample) {
        if (this == ZIPF) {
            return new Zipf(counters)::next;
        }
        return () -> ThreadLocalRandom.current().nextInt(measured(sample));
    }

    /** Returns a row below {@link #HEADING}. */
    @Override
    public String toString() {
        return String.format(
                "| %s | %,d | %d | %s | %,.2f |",
                label, counters, processes, perSecond < 1 ? perSecond : "%,.0f".formatted(perSecond), perMonth() / 1e6);
    }
}
