package io.counterkit.migration;

import io.counterkit.spi.Limits;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * How names move from a source to a target. All processes of an application use the same {@link #origin()} and {@link
 * #forward()}, in this migration for ever. Immutable and thread-safe but for the {@link #rollout()}; the builder is
 * neither.
 */
public final class MigrationOptions {
    private final String origin;
    private final String forward;
    private final Rollout rollout;
    private final Duration sourceRetention;
    private final LongSupplier nanoTime;
    private final RandomGenerator random;

    private MigrationOptions(Builder builder) {
        origin = builder.origin;
        forward = builder.forward;
        rollout = builder.rollout;
        sourceRetention = builder.sourceRetention;
        nanoTime = builder.nanoTime;
        random = builder.random;
    }

    /**
     * A builder that starts from the defaults.
     *
     * @param origin what the source is called in the target, such as {@code datastore:my-project}; never empty
     * @param forward what the target is called in the seals at the source, such as {@code firestore:my-project}: whoever
     *     still writes to the source is told it; never empty
     */
    public static Builder builder(String origin, String forward) {
        return new Builder(
                Limits.checkText("origin", origin, Limits.MAX_TOKEN_BYTES),
                Limits.checkText("forward", forward, Limits.MAX_TOKEN_BYTES));
    }

    /** What the source is called in the target. */
    public String origin() {
        return origin;
    }

    /** What the target is called in the seals at the source. */
    public String forward() {
        return forward;
    }

    /** Which part of the names has its turn. */
    public Rollout rollout() {
        return rollout;
    }

    /** How long the source remembers a token. */
    public Duration sourceRetention() {
        return sourceRetention;
    }

    LongSupplier nanoTime() {
        return nanoTime;
    }

    /** Makes the tokens of seals. */
    public RandomGenerator random() {
        return random;
    }

    /** Collects options; each is checked when it is set. */
    public static final class Builder {
        private final String origin;
        private final String forward;
        private Rollout rollout = Rollout.at(0);
        private Duration sourceRetention = Duration.ofHours(24);
        private LongSupplier nanoTime = System::nanoTime;
        private RandomGenerator random = new SecureRandom();

        private Builder(String origin, String forward) {
            this.origin = origin;
            this.forward = forward;
        }

        /** Which part of the names has its turn. Default one at 0 %, so that nothing moves before you say so. */
        public Builder rollout(Rollout rollout) {
            this.rollout = Objects.requireNonNull(rollout, "rollout");
            return this;
        }

        /**
         * How long the source remembers a token, 1 hour to 3,650 days; the retention that the source itself states counts
         * where it is longer. A process asks the source for a caller's token before it applies the token at the target,
         * until this time has passed since the process first read the seal of the name. So no clocks are compared, and a
         * process that starts later asks for longer than it has to. Default 24 hours, as with every backend.
         */
        public Builder sourceRetention(Duration sourceRetention) {
            this.sourceRetention = Limits.checkRetention("sourceRetention", sourceRetention);
            return this;
        }

        /** Measures that time; for tests. */
        Builder nanoTime(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
            return this;
        }

        /** Makes the tokens of seals. Default a {@link SecureRandom}: tokens of many processes must never meet. */
        public Builder random(RandomGenerator random) {
            this.random = Objects.requireNonNull(random, "random");
            return this;
        }

        /** The options as they are now. */
        public MigrationOptions build() {
            return new MigrationOptions(this);
        }
    }
}
