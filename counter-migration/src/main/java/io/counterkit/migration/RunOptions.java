package io.counterkit.migration;

import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The options of a job and of a verification. */
abstract class RunOptions<R> {
    private final String prefix;
    private final int inFlight;
    private final Duration deadline;
    private final BooleanSupplier stop;
    private final Consumer<R> listener;

    RunOptions(RunBuilder<?, R> builder) {
        prefix = builder.prefix;
        inFlight = builder.inFlight;
        deadline = builder.deadline;
        stop = builder.stop;
        listener = builder.listener;
    }

    final String prefix() {
        return prefix;
    }

    final int inFlight() {
        return inFlight;
    }

    final Duration deadline() {
        return deadline;
    }

    final BooleanSupplier stop() {
        return stop;
    }

    final Consumer<R> listener() {
        return listener;
    }

    /** Builds the options of a run. */
    abstract static class RunBuilder<B extends RunBuilder<B, R>, R> {
        private String prefix = "";
        private int inFlight = 8;
        private Duration deadline = Duration.ofSeconds(20);
        private BooleanSupplier stop = () -> false;
        private Consumer<R> listener = report -> {};

        RunBuilder() {}

        abstract B self();

        /** Selects the names that start with {@code prefix}. Default empty, for all names. */
        public B prefix(String prefix) {
            this.prefix = Objects.requireNonNull(prefix, "prefix");
            return self();
        }

        /**
         * Sets how many names are processed at once, 1 to 100. Default 8: enough for two stores at a distance of some
         * milliseconds, with up to 500 entries in memory for each name.
         */
        public B inFlight(int inFlight) {
            this.inFlight = Limits.checkBetween("inFlight", inFlight, 1, 100);
            return self();
        }

        /** Sets the deadline of one call to a store, 1 ms to 1 day. Default 20 seconds, as for a single add. */
        public B deadline(Duration deadline) {
            this.deadline = Limits.checkDuration("deadline", deadline);
            return self();
        }

        /** Sets a condition that is polled: once it is true, the run ends as if its time had passed. Default never. */
        public B stopWhen(BooleanSupplier stop) {
            this.stop = Objects.requireNonNull(stop, "stop");
            return self();
        }

        /**
         * Sets a listener that receives the report after each step of a name, on the thread of the run. If it throws,
         * the run ends with that exception. Default none.
         */
        public B listener(Consumer<R> listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return self();
        }
    }
}
