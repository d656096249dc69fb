package io.counterkit.benchmarks.firestore;

/**
 * The cost of a number of adds.
 *
 * @param units the documents that were billed for them
 */
record Cost(long adds, Bill.Units units, Prices prices) {
    private static final double MILLION = 1e6;

    double addsPerCommit() {
        return adds / (double) units.commits();
    }

    /** Returns the units for 1,000 adds, of which {@code units} are one kind. */
    double forThousand(long units) {
        return 1000.0 * units / adds;
    }

    /** Returns the dollars for so many adds like these. */
    double dollars(double moreAdds) {
        return prices.dollars(units) * moreAdds / adds;
    }

    @Override
    public String toString() {
        return String.format(
                "%.1f adds a commit, %.1f writes, %.1f reads and %.1f deletes for 1,000 adds, $%.3f for a million",
                addsPerCommit(),
                forThousand(units.writes()),
                forThousand(units.reads()),
                forThousand(units.deletes()),
                dollars(MILLION));
    }
}
