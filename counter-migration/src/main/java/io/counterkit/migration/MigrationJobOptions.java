package io.counterkit.migration;

import io.counterkit.RampUpLimiter;
import io.counterkit.migration.internal.job.NameScan;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What a {@link MigrationJob} moves, and how fast. Immutable and thread-safe; the builder is neither. */
public final class MigrationJobOptions {
    private static final MigrationJobOptions DEFAULTS = builder().build();

    private final String prefix;
    private final boolean copyEntries;
    private final boolean dryRun;
    private final RampUpLimiter ramp;
    private final int inFlight;
    private final int share;
    private final int shares;
    private final Duration deadline;
    private final BooleanSupplier stop;
    private final Consumer<MigrationReport> listener;

    private MigrationJobOptions(Builder builder) {
        prefix = builder.prefix;
        copyEntries = builder.copyEntries;
        dryRun = builder.dryRun;
        ramp = builder.ramp;
        inFlight = builder.inFlight;
        share = builder.share;
        shares = builder.shares;
        deadline = builder.deadline;
        stop = builder.stop;
        listener = builder.listener;
    }

    /** Every option as its builder method states it. */
    public static MigrationJobOptions defaults() {
        return DEFAULTS;
    }

    /** A builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    String prefix() {
        return prefix;
    }

    boolean copyEntries() {
        return copyEntries;
    }

    public boolean dryRun() {
        return dryRun;
    }

    RampUpLimiter ramp() {
        return ramp;
    }

    int inFlight() {
        return inFlight;
    }

    /** Whether a name is in the share of this job. Every process of every version has to say the same. */
    boolean isOurs(String name) {
        return Math.floorMod(name.hashCode(), shares) == share - 1;
    }

    public Duration deadline() {
        return deadline;
    }

    BooleanSupplier stop() {
        return stop;
    }

    Consumer<MigrationReport> listener() {
        return listener;
    }

    /** Collects options; each is checked when it is set. */
    public static final class Builder {
        private String prefix = "";
        private boolean copyEntries;
        private boolean dryRun;
        private RampUpLimiter ramp = RampUpLimiter.recommended();
        private int inFlight = 8;
        private int share = 1;
        private int shares = 1;
        private Duration deadline = Duration.ofSeconds(20);
        private BooleanSupplier stop = () -> false;
        private Consumer<MigrationReport> listener = report -> {};

        private Builder() {}

        /** Only names that start with this. Default empty, for all. */
        public Builder prefix(String prefix) {
            this.prefix = Objects.requireNonNull(prefix, "prefix");
            return this;
        }

        /**
         * Whether the entries of a moved sequence are copied. Default false: they are read from the source for as long
         * as it is there, which is enough where the source stays.
         */
        public Builder copyEntries(boolean copyEntries) {
            this.copyEntries = copyEntries;
            return this;
        }

        /** Whether nothing is changed, and the report says what there is to do. Default false. */
        public Builder dryRun(boolean dryRun) {
            this.dryRun = dryRun;
            return this;
        }

        /**
         * How fast the target may be written to; one operation is one entry, or one name. Default
         * {@link RampUpLimiter#recommended()}, beginning with the job. {@link RampUpLimiter#atMost} adds a limit; where several processes
         * work at once, divide it among them.
         */
        public Builder ramp(RampUpLimiter ramp) {
            this.ramp = Objects.requireNonNull(ramp, "ramp");
            return this;
        }

        /**
         * How many names may be under way at once, from 1 to 100. Default 8: enough to keep two stores busy that are
         * some milliseconds away, at half a thousand entries in memory for each.
         */
        public Builder inFlight(int inFlight) {
            this.inFlight = NameScan.checkInFlight(inFlight);
            return this;
        }

        /**
         * Only this share of the names, the first of four for instance, so that several processes divide the work instead
         * of doing the same side by side. Default 1 of 1.
         *
         * @param share from 1 to {@code shares}
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

        /** How long one call to a store may take, from 1 ms to 1 day. Default 20 seconds, as for a single add. */
        public Builder deadline(Duration deadline) {
            this.deadline = Limits.checkDuration("deadline", deadline);
            return this;
        }

        /** Asked now and then whether to end soon, as if the time were over. Default never. */
        public Builder stopWhen(BooleanSupplier stop) {
            this.stop = Objects.requireNonNull(stop, "stop");
            return this;
        }

        /**
         * Hears how far the job is, after each name and each batch of entries, on the thread that runs the job. What it
         * throws ends the job. Default nobody.
         */
        public Builder listener(Consumer<MigrationReport> listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** The options as they are now. */
        public MigrationJobOptions build() {
            return new MigrationJobOptions(this);
        }
    }
}
