package io.counterkit.migration;

import io.counterkit.spi.Limits;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Options of a {@link MigratingBackend}. All processes must use the same {@link #origin()} and {@link #forward()}, and
 * must not change them during a migration. Immutable and thread-safe except for the {@link #rollout()}; the builder is
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
     * Returns a builder with the defaults.
     *
     * @param origin the name of the source, stored at the target, such as {@code datastore:my-project}; not empty
     * @param forward the name of the target, stored in the seals at the source, such as {@code firestore:my-project}. A
     *     process that still writes to the source sees it in its exception; not empty
     */
    public static Builder builder(String origin, String forward) {
        return new Builder(
                Limits.checkText("origin", origin, Limits.MAX_TOKEN_BYTES),
                Limits.checkText("forward", forward, Limits.MAX_TOKEN_BYTES));
    }

    /** Returns the name of the source that is stored at the target. */
    public String origin() {
        return origin;
    }

    /** Returns the name of the target that is stored in the seals at the source. */
    public String forward() {
        return forward;
    }

    /** Returns the rollout. */
    public Rollout rollout() {
        return rollout;
    }

    /** Returns how long the source remembers a token. */
    public Duration sourceRetention() {
        return sourceRetention;
    }

    LongSupplier nanoTime() {
        return nanoTime;
    }

    /** Returns the generator of the tokens of seals. */
    public RandomGenerator random() {
        return random;
    }

    /** Builds options. Each method throws {@link IllegalArgumentException} if its value is out of range. */
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

        /**
         * Sets the rollout, which selects the names to move. Default a rollout at 0 %, so that nothing moves until it
         * is raised.
         */
        public Builder rollout(Rollout rollout) {
            this.rollout = Objects.requireNonNull(rollout, "rollout");
            return this;
        }

        /**
         * Sets how long the source remembers a token, 1 hour to 3,650 days. If the source states a longer retention,
         * that one is used. For this time after a process has first read the seal of a name, the process resolves a
         * caller's token at the source before it applies the token at the target. Default 24 hours, as with every
         * backend.
         */
        public Builder sourceRetention(Duration sourceRetention) {
            this.sourceRetention = Limits.checkRetention("sourceRetention", sourceRetention);
            return this;
        }

        /** Sets the clock that measures that time, for tests. */
        Builder nanoTime(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
            return this;
        }

        /** Sets the generator of the tokens of seals. Default a {@link SecureRandom}, since tokens must be unique. */
        public Builder random(RandomGenerator random) {
            this.random = Objects.requireNonNull(random, "random");
            return this;
        }

        /** Returns the options. */
        public MigrationOptions build() {
            return new MigrationOptions(this);
        }
    }
}
