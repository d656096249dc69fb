package io.counterkit.verification.broken;

import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One way for a backend to be wrong.
 *
 * @param does what it does, to be read after "a backend that"
 * @param breaks the rules that find it, as each run has to prove
 * @param batches how requests come to it; where they are combined, it answers on another thread
 * @param stores makes, for each store, what turns a right backend over it into a wrong one
 */
record Flaw(String does, Set<String> breaks, BatchLimits batches, Supplier<UnaryOperator<CounterBackend>> stores) {
    static Draft that(String does, String... breaks) {
        return new Draft(does, Collections.unmodifiableSet(new TreeSet<>(Set.of(breaks))), BatchLimits.none());
    }

    @Override
    public String toString() {
        return does;
    }

    /** A flaw that has no code yet. */
    record Draft(String does, Set<String> breaks, BatchLimits batches) {
        /** Batches come to it. */
        Draft batched() {
            return batched(BatchLimits.ofWeight(20));
        }

        /** Such batches come to it. */
        Draft batched(BatchLimits limits) {
            return new Draft(does, breaks, limits);
        }

        Flaw counters(UnaryOperator<CounterStore> wrong) {
            return counters(() -> true, (store, nothing) -> wrong.apply(store));
        }

        /** What all processes share is made once for each store. */
        <S> Flaw counters(Supplier<S> shared, BiFunction<CounterStore, S, CounterStore> wrong) {
            return backend(
                    shared,
                    (right, made) ->
                            new ForwardingBackend(right, wrong.apply(right.counters(), made), right.sequences()));
        }

        Flaw sequences(UnaryOperator<SequenceStore> wrong) {
            return sequences(() -> true, (store, nothing) -> wrong.apply(store));
        }

        <S> Flaw sequences(Supplier<S> shared, BiFunction<SequenceStore, S, SequenceStore> wrong) {
            return backend(
                    shared,
                    (right, made) ->
                            new ForwardingBackend(right, right.counters(), wrong.apply(right.sequences(), made)));
        }

        Flaw migration(UnaryOperator<MigrationStore> wrong) {
            return migration(() -> true, (right, nothing) -> wrong.apply(right.migration()));
        }

        /** What is wrong may use the right counters and sequences too. */
        <S> Flaw migration(Supplier<S> shared, BiFunction<CounterBackend, S, MigrationStore> wrong) {
            return backend(
                    shared,
                    (right, made) -> new ForwardingBackend(
                            right, right.counters(), right.sequences(), wrong.apply(right, made)));
        }

        Flaw backend(UnaryOperator<CounterBackend> wrong) {
            return backend(() -> true, (right, nothing) -> wrong.apply(right));
        }

        <S> Flaw backend(Supplier<S> shared, BiFunction<CounterBackend, S, CounterBackend> wrong) {
            return new Flaw(does, breaks, batches, () -> {
                S made = shared.get();
                return right -> wrong.apply(right, made);
            });
        }
    }
}
