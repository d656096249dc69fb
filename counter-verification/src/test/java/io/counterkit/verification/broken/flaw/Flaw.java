package io.counterkit.verification.broken.flaw;

import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A flaw of a backend.
 *
 * @param does what the backend does, as a phrase after "a backend that"
 * @param breaks the rules that must fail
 * @param batches the batches that the backend receives; if requests are combined, it answers on another thread
 * @param stores creates, for each store, a function from a correct backend to the flawed one
 */
public record Flaw(
        String does, Set<String> breaks, BatchLimits batches, Supplier<UnaryOperator<CounterBackend>> stores) {
    public static Draft that(String does, String... breaks) {
        return new Draft(does, Collections.unmodifiableSet(new TreeSet<>(Set.of(breaks))), BatchLimits.none());
    }

    @Override
    public String toString() {
        return does;
    }

    /** A flaw without its implementation. */
    public record Draft(String does, Set<String> breaks, BatchLimits batches) {
        /** Lets the backend receive batches. */
        public Draft batched() {
            return batched(BatchLimits.ofWeight(20));
        }

        /** Lets the backend receive such batches. */
        public Draft batched(BatchLimits limits) {
            return new Draft(does, breaks, limits);
        }

        public Flaw counters(UnaryOperator<CounterStore> wrong) {
            return counters(() -> true, (store, nothing) -> wrong.apply(store));
        }

        /** Completes the flaw, with a state per store that all processes share. */
        public <S> Flaw counters(Supplier<S> shared, BiFunction<CounterStore, S, CounterStore> wrong) {
            return backend(
                    shared,
                    (right, made) -> new ForwardingCounterBackend(
                            right, wrong.apply(right.counters(), made), right.sequences()));
        }

        public Flaw sequences(UnaryOperator<SequenceStore> wrong) {
            return sequences(() -> true, (store, nothing) -> wrong.apply(store));
        }

        public <S> Flaw sequences(Supplier<S> shared, BiFunction<SequenceStore, S, SequenceStore> wrong) {
            return backend(
                    shared,
                    (right, made) -> new ForwardingCounterBackend(
                            right, right.counters(), wrong.apply(right.sequences(), made)));
        }

        public Flaw migration(UnaryOperator<MigrationStore> wrong) {
            return migration(() -> true, (right, nothing) -> wrong.apply(right.migration()));
        }

        /** Completes the flaw; the migration store may also use the correct counters and sequences. */
        public <S> Flaw migration(Supplier<S> shared, BiFunction<CounterBackend, S, MigrationStore> wrong) {
            return backend(
                    shared,
                    (right, made) ->
                            new WithMigration(right, right.counters(), right.sequences(), wrong.apply(right, made)));
        }

        public Flaw backend(UnaryOperator<CounterBackend> wrong) {
            return backend(() -> true, (right, nothing) -> wrong.apply(right));
        }

        public <S> Flaw backend(Supplier<S> shared, BiFunction<CounterBackend, S, CounterBackend> wrong) {
            return new Flaw(does, breaks, batches, () -> {
                S made = shared.get();
                return right -> wrong.apply(right, made);
            });
        }
    }
}
