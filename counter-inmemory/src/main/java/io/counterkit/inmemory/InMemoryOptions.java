package io.counterkit.inmemory;

import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/** How a store in memory behaves. Immutable and thread-safe; the builder is neither. */
public final class InMemoryOptions {
    private static final InMemoryOptions DEFAULTS = builder().build();

    private final InstantSource clock;
    private final Duration retention;
    private final BatchLimits batches;

    private InMemoryOptions(Builder builder) {
        clock = builder.clock;
        retention = builder.retention;
        batches = builder.batches;
    }

    /** Every option as its builder method states it. */
    public static InMemoryOptions defaults() {
        return DEFAULTS;
    }

    /** A builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** What time it is. */
    public InstantSource clock() {
        return clock;
    }

    /** How long a token is remembered. */
    public Duration retention() {
        return retention;
    }

    /** How requests are combined. */
    public BatchLimits batches() {
        return batches;
    }

    /** Collects options; each is checked when it is set. */
    public static final class Builder {
        private InstantSource clock = InstantSource.system();
        private Duration retention = Duration.ofHours(24);
        private BatchLimits batches = BatchLimits.none();

        private Builder() {}

        /** What time it is, for entries, readings and the retention of tokens. Default the system's clock. */
        public Builder clock(InstantSource clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** How long a token is remembered, 1 hour to 3,650 days. Default 24 hours, as with every backend. */
        public Builder retention(Duration retention) {
            this.retention = Limits.checkRetention("retention", retention);
            return this;
        }

        /**
         * How requests are combined. Default {@link BatchLimits#none()}, since memory answers at once; give the limits
         * of another store to see an application wait and merge as it would there.
         */
        public Builder batches(BatchLimits batches) {
            this.batches = Objects.requireNonNull(batches, "batches");
            return this;
        }

        /** The options as they are now. */
        public InMemoryOptions build() {
            return new InMemoryOptions(this);
        }
    }
}
