package io.counterkit.inmemory;

import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/** Options of a store in memory. Immutable and thread-safe; the builder is neither. */
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

    /** Returns the default options, which the methods of the builder document. */
    public static InMemoryOptions defaults() {
        return DEFAULTS;
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the clock. */
    public InstantSource clock() {
        return clock;
    }

    /** Returns how long a token is remembered. */
    public Duration retention() {
        return retention;
    }

    /** Returns how requests are combined. */
    public BatchLimits batches() {
        return batches;
    }

    /** Builds options. Each method throws {@link IllegalArgumentException} if its value is out of range. */
    public static final class Builder {
        private InstantSource clock = InstantSource.system();
        private Duration retention = Duration.ofHours(24);
        private BatchLimits batches = BatchLimits.none();

        private Builder() {}

        /** Sets the clock of entries, readings and the retention of tokens. Default the system's clock. */
        public Builder clock(InstantSource clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** Sets how long a token is remembered, 1 hour to 3,650 days. Default 24 hours, as with every backend. */
        public Builder retention(Duration retention) {
            this.retention = Limits.checkRetention("retention", retention);
            return this;
        }

        /**
         * Sets how requests are combined. Default {@link BatchLimits#none()}, since memory answers immediately. With
         * the limits of another store, an application's requests wait and merge as they do with that store.
         */
        public Builder batches(BatchLimits batches) {
            this.batches = Objects.requireNonNull(batches, "batches");
            return this;
        }

        /** Returns the options. */
        public InMemoryOptions build() {
            return new InMemoryOptions(this);
        }
    }
}
