package io.counterkit.migration;

import io.counterkit.migration.internal.job.NameScan;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What a {@link MigrationVerifier} compares. Immutable and thread-safe; the builder is neither. */
public final class VerificationOptions {
    private static final VerificationOptions DEFAULTS = builder().build();

    private final String prefix;
    private final boolean copiedEntries;
    private final boolean quietTarget;
    private final int samples;
    private final int inFlight;
    private final Duration deadline;
    private final BooleanSupplier stop;
    private final Consumer<VerificationReport> listener;

    private VerificationOptions(Builder builder) {
        prefix = builder.prefix;
        copiedEntries = builder.copiedEntries;
        quietTarget = builder.quietTarget;
        samples = builder.samples;
        inFlight = builder.inFlight;
        deadline = builder.deadline;
        stop = builder.stop;
        listener = builder.listener;
    }

    /** Every option as its builder method states it. */
    public static VerificationOptions defaults() {
        return DEFAULTS;
    }

    /** A builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    String prefix() {
        return prefix;
    }

    public boolean copiedEntries() {
        return copiedEntries;
    }

    public boolean quietTarget() {
        return quietTarget;
    }

    public int samples() {
        return samples;
    }

    int inFlight() {
        return inFlight;
    }

    public Duration deadline() {
        return deadline;
    }

    BooleanSupplier stop() {
        return stop;
    }

    Consumer<VerificationReport> listener() {
        return listener;
    }

    /** Collects options; each is checked when it is set. */
    public static final class Builder {
        private String prefix = "";
        private boolean copiedEntries;
        private boolean quietTarget;
        private int samples = 20;
        private int inFlight = 8;
        private Duration deadline = Duration.ofSeconds(20);
        private BooleanSupplier stop = () -> false;
        private Consumer<VerificationReport> listener = report -> {};

        private Builder() {}

        /** Only names that start with this. Default empty, for all. */
        public Builder prefix(String prefix) {
            this.prefix = Objects.requireNonNull(prefix, "prefix");
            return this;
        }

        /**
         * Whether the entries of moved sequences were copied, so that a missing one is a difference. Default false: those
         * that are there are compared.
         */
        public Builder copiedEntries(boolean copiedEntries) {
            this.copiedEntries = copiedEntries;
            return this;
        }

        /**
         * Whether nothing was changed at the target since the names were moved, so that totals and last numbers have to
         * be those of the source. Default false.
         */
        public Builder quietTarget(boolean quietTarget) {
            this.quietTarget = quietTarget;
            return this;
        }

        /**
         * How many entries of each sequence are compared, besides those at its ends and around its move, from 0 on.
         * Default 20: different ones each time, so that repeated runs see more.
         */
        public Builder samples(int samples) {
            if (samples < 0) {
                throw new IllegalArgumentException("samples " + samples + ": use 0 or more");
            }
            this.samples = samples;
            return this;
        }

        /** Compares every entry of every sequence, instead of samples. */
        public Builder allEntries() {
            this.samples = Integer.MAX_VALUE;
            return this;
        }

        /** How many names may be under way at once, from 1 to 100. Default 8, as for a {@link MigrationJob}. */
        public Builder inFlight(int inFlight) {
            this.inFlight = NameScan.checkInFlight(inFlight);
            return this;
        }

        /** How long one call to a store may take, from 1 ms to 1 day. Default 20 seconds. */
        public Builder deadline(Duration deadline) {
            this.deadline = Limits.checkDuration("deadline", deadline);
            return this;
        }

        /** Asked now and then whether to end soon, as if the time were over. Default never. */
        public Builder stopWhen(BooleanSupplier stop) {
            this.stop = Objects.requireNonNull(stop, "stop");
            return this;
        }

        /** Hears how far it is, after each name, on the thread that verifies. What it throws ends it. Default nobody. */
        public Builder listener(Consumer<VerificationReport> listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** The options as they are now. */
        public VerificationOptions build() {
            return new VerificationOptions(this);
        }
    }
}
