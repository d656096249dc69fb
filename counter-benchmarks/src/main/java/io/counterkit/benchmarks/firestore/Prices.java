package io.counterkit.benchmarks.firestore;

import io.counterkit.benchmarks.Arguments;

/**
 * The list prices of a region, in dollars for 100,000 documents. They differ by region: those of a multi-region are
 * twice as high, in the same proportions.
 */
record Prices(double read, double write, double delete) {
    /**
     * The prices of the region us-central1 and the Standard edition, as Google's page <i>Query interfaces overview</i>
     * stated them in 2026.
     */
    static final Prices US_CENTRAL1 = new Prices(0.03, 0.09, 0.01);

    /** The name of the argument that has other prices. */
    static final String ARGUMENT = "prices";

    private static final double DOCUMENTS = 100_000;

    /** Returns the prices in the arguments, such as {@code prices=0.06,0.18,0.02}, or else {@link #US_CENTRAL1}. */
    static Prices of(Arguments args) {
        String prices = args.named(ARGUMENT, "");
        return prices.isEmpty() ? US_CENTRAL1 : parse(prices);
    }

    /** Reads the prices of reads, writes and deletes, with commas between them. */
    static Prices parse(String prices) {
        String[] parts = prices.split(",", -1);
        try {
            if (parts.length == 3) {
                return new Prices(
                        Double.parseDouble(parts[0]), Double.parseDouble(parts[1]), Double.parseDouble(parts[2]));
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(message(prices), e);
        }
        throw new IllegalArgumentException(message(prices));
    }

    private static String message(String prices) {
        return "prices \"" + prices
                + "\": use the dollars for 100,000 reads, writes and deletes, such as 0.06,0.18,0.02";
    }

    /** Returns the dollars for these documents. */
    double dollars(Bill.Units units) {
        return (units.reads() * read + units.writes() * write + units.deletes() * delete) / DOCUMENTS;
    }

    @Override
    public String toString() {
        return "dollars for 100,000: reads " + read + ", writes " + write + ", deletes " + delete;
    }
}
