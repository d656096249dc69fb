package io.counterkit.soak;

import io.counterkit.spi.Limits;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The options of a {@link Soak}: how much it does, and for how long. Immutable. */
public final class SoakOptions {
    final int workers;
    final int counters;
    final int sequences;
    final Duration duration;
    final long operations;
    final long seed;
    final String prefix;
    final @Nullable FaultSource faults;
    final double faultProbability;
    final Consumer<SoakReport> listener;
    final BooleanSupplier stopWhen;

    private SoakOptions(Builder builder) {
        workers = builder.workers;
        counters = builder.counters;
        sequences = builder.sequences;
        duration = builder.duration;
        operations = builder.operations;
        seed = builder.seed;
        prefix = builder.prefix;
        faults = builder.faults;
        faultProbability = builder.faultProbability;
        listener = builder.listener;
        stopWhen = builder.stopWhen;
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns {@code probability}, the argument of {@link Builder#faults}.
     *
     * @throws IllegalArgumentException if it is not from 0 to less than 1
     */
    public static double checkFaults(double probability) {
        if (!(probability >= 0 && probability < 1)) {
            throw new IllegalArgumentException("faults " + probability + ": use a probability from 0 to less than 1");
        }
        return probability;
    }

    /** Builds options. Each method throws {@link IllegalArgumentException} if its argument is out of bounds. */
    public static final class Builder {
        private int workers = 8;
        private int counters = 50;
        private int sequences = 5;
        private Duration duration = Duration.ofSeconds(10);
        private long operations = 1_000_000;
        private long seed = new SecureRandom().nextInt(Integer.MAX_VALUE);
        private String prefix = "soak-" + Long.toHexString(new SecureRandom().nextLong());
        private @Nullable FaultSource faults;
        private double faultProbability;
        private Consumer<SoakReport> listener = report -> {};
        private BooleanSupplier stopWhen = () -> false;

        private Builder() {}

        /** Sets the number of threads, 1 or more. Default: 8. */
        public Builder workers(int workers) {
            this.workers = Limits.checkAtLeast("workers", workers, 1);
            return this;
        }

        /**
         * Sets the numbers of counters and sequences, each 0 or more, and not both 0. Default: 50 counters and 5
         * sequences.
         */
        public Builder names(int counters, int sequences) {
            if (counters < 0 || sequences < 0 || counters + sequences < 1) {
                throw new IllegalArgumentException(
                        "counters " + counters + ", sequences " + sequences + ": use 0 or more, and not 0 for both");
            }
            this.counters = counters;
            this.sequences = sequences;
            return this;
        }

        /** Sets the time after which no operation begins. Default: 10 seconds. */
        public Builder duration(Duration duration) {
            this.duration = duration;
            return this;
        }

        /** Sets the maximum number of operations, 1 or more. Default: 1,000,000. */
        public Builder operations(long operations) {
            if (operations < 1) {
                throw new IllegalArgumentException("operations " + operations + ": use 1 or more");
            }
            this.operations = operations;
            return this;
        }

        /** Sets the seed of the workers' random numbers and of the faults. Default: a random one. */
        public Builder seed(long seed) {
            this.seed = seed;
            return this;
        }

        /** Sets the prefix of all names, which no other run may use. Default: a random one. */
        public Builder prefix(String prefix) {
            this.prefix = Limits.checkText("prefix", prefix, Limits.MAX_NAME_BYTES / 2);
            return this;
        }

        /** Injects a fault into each call to the store with a probability from 0 to less than 1. Default: no faults. */
        public Builder faults(FaultSource faults, double probability) {
            this.faults = faults;
            this.faultProbability = checkFaults(probability);
            return this;
        }

        /** Sets the receiver of a report of the run so far, about every 20 ms. Default: none. */
        public Builder listener(Consumer<SoakReport> listener) {
            this.listener = listener;
            return this;
        }

        /** Ends the work, but not the check, once {@code condition} is true. Default: never. */
        public Builder stopWhen(BooleanSupplier condition) {
            this.stopWhen = condition;
            return this;
        }

        /** Builds the options. */
        public SoakOptions build() {
            return new SoakOptions(this);
        }
    }
}
