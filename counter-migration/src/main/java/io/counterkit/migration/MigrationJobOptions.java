package io.counterkit.migration;

import io.counterkit.RampUpLimiter;
import java.util.Objects;

/** Options of a {@link MigrationJob}. Immutable and thread-safe; the builder is neither. */
public final class MigrationJobOptions extends RunOptions<MigrationReport> {
    private static final MigrationJobOptions DEFAULTS = builder().build();

    private final boolean copyEntries;
    private final boolean dryRun;
    private final RampUpLimiter ramp;
    private final int share;
    private final int shares;

    private MigrationJobOptions(Builder builder) {
        super(builder);
        copyEntries = builder.copyEntries;
        dryRun = builder.dryRun;
        ramp = builder.ramp;
        share = builder.share;
        shares = builder.shares;
    }

    /** Returns the default options, which the methods of the builder document. */
    public static MigrationJobOptions defaults() {
        return DEFAULTS;
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    boolean copyEntries() {
        return copyEntries;
    }

    boolean dryRun() {
        return dryRun;
    }

    RampUpLimiter ramp() {
        return ramp;
    }

    /** Returns whether a name is in the share of this job. The result is the same in every process and version. */
    boolean isInShare(String name) {
        return Math.floorMod(name.hashCode(), shares) == share - 1;
    }

    /** Builds options. Each method throws {@link IllegalArgumentException} if its value is out of range. */
    public static final class Builder extends RunBuilder<Builder, MigrationReport> {
        private boolean copyEntries;
        private boolean dryRun;
        private RampUpLimiter ramp = RampUpLimiter.recommended();
        private int share = 1;
        private int shares = 1;

        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /**
         * Sets whether the entries of moved sequences are copied, and which of their subjects are live. Default false:
         * both are read from the source, which is enough if the source is kept.
         */
        public Builder copyEntries(boolean copyEntries) {
            this.copyEntries = copyEntries;
            return this;
        }

        /** Sets whether the job changes nothing and only reports the moves that it would make. Default false. */
        public Builder dryRun(boolean dryRun) {
            this.dryRun = dryRun;
            return this;
        }

        /**
         * Sets the limiter of writes to the target; one operation is one entry, one subject, or one name. Default {@link
         * RampUpLimiter#recommended()}, starting with the job. {@link RampUpLimiter#atMost} adds a limit; divide it
         * among the processes that run at once.
         */
        public Builder ramp(RampUpLimiter ramp) {
            this.ramp = Objects.requireNonNull(ramp, "ramp");
            return this;
        }

        /**
         * Selects one share of the names, so that several processes divide the work. Default 1 of 1.
         *
         * @param share the share of this job, from 1 to {@code shares}
         */
        public Builder share(int share, int shares) {
            if (shares < 1 || share < 1 || share > shares) {
                throw new IllegalArgumentException(
                        "share " + share + " of " + shares + ": use 1 of 1, or 1 to 4 of 4, and so on");
            }
            this.share = share;
            this.shares = shares;
            return this;
        }

        /** Returns the options. */
        public MigrationJobOptions build() {
            return new MigrationJobOptions(this);
        }
    }
}
