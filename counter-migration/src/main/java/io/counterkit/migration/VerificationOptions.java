package io.counterkit.migration;

import io.counterkit.spi.Limits;

/** Options of a {@link MigrationVerifier}. Immutable and thread-safe; the builder is neither. */
public final class VerificationOptions extends RunOptions<VerificationReport> {
    private static final VerificationOptions DEFAULTS = builder().build();

    private final boolean copiedEntries;
    private final boolean quietTarget;
    private final int samples;

    private VerificationOptions(Builder builder) {
        super(builder);
        copiedEntries = builder.copiedEntries;
        quietTarget = builder.quietTarget;
        samples = builder.samples;
    }

    /** Returns the default options, which the methods of the builder document. */
    public static VerificationOptions defaults() {
        return DEFAULTS;
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns whether a missing copy of an entry is a difference. */
    public boolean copiedEntries() {
        return copiedEntries;
    }

    /** Returns whether a change at the target is a difference. */
    public boolean quietTarget() {
        return quietTarget;
    }

    /** Returns how many entries of each sequence are sampled. */
    public int samples() {
        return samples;
    }

    /** Builds options. Each method throws {@link IllegalArgumentException} if its value is out of range. */
    public static final class Builder extends RunBuilder<Builder, VerificationReport> {
        private boolean copiedEntries;
        private boolean quietTarget;
        private int samples = 20;

        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /**
         * Sets whether the entries of moved sequences were copied, so that a missing one is a difference. Default
         * false: only the copies that exist are compared.
         */
        public Builder copiedEntries(boolean copiedEntries) {
            this.copiedEntries = copiedEntries;
            return this;
        }

        /**
         * Sets whether the target was not changed since the names moved, so that its totals and last numbers must equal
         * those of the source. Default false.
         */
        public Builder quietTarget(boolean quietTarget) {
            this.quietTarget = quietTarget;
            return this;
        }

        /**
         * Sets how many entries of each sequence are compared, besides those at its ends and around its move, 0 or
         * more. Default 20. They are chosen at random, so that repeated runs compare more.
         */
        public Builder samples(int samples) {
            this.samples = Limits.checkAtLeast("samples", samples, 0);
            return this;
        }

        /** Compares every entry of every sequence. */
        public Builder allEntries() {
            this.samples = Integer.MAX_VALUE;
            return this;
        }

        /** Returns the options. */
        public VerificationOptions build() {
            return new VerificationOptions(this);
        }
    }
}
