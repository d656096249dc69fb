package io.counterkit.tck.internal.history;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.tck.internal.history.History.Meaning;
import io.counterkit.tck.internal.history.History.Pending;
import io.counterkit.tck.internal.history.Operation.Kind;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;

/** The calls that counters and sequences have in common. Thread-safe. */
abstract class ObjectCalls<S extends ObjectState<S>> {
    final String name;
    final History<S> history;

    ObjectCalls(String name, S unused, LongSupplier nanoTime) {
        this.name = name;
        this.history = new History<>(unused, nanoTime);
    }

    final Pending<Seal> seal(int process, String forward) {
        return history.change(
                process,
                new Meaning<S, Seal>(
                        "seal with the address '" + forward + "'",
                        Kind.OTHER,
                        null,
                        state -> state.sealed(forward),
                        state -> new Resolution.Done(name),
                        (state, seal) -> seal.equals(state.seal()),
                        (state, seal) -> true,
                        (state, refusal) -> isSeal(state, refusal) && !state.canSeal(forward)));
    }

    /** Returns whether a failure is the refusal of a change by the seal of the object. */
    static boolean isSeal(ObjectState<?> state, RuntimeException refusal) {
        return refusal instanceof SealedException sealed && sealed.seal().equals(state.seal());
    }

    final Pending<Resolution> resolve(int process, IdempotencyToken token) {
        return history.resolve(process, token);
    }

    /** Begins a search for the name in the store's list. */
    final Pending<Boolean> isListed(int process) {
        BiPredicate<S, Boolean> isRight = (state, isListed) -> state.isListed() == isListed;
        return history.read(process, "is listed", List.of(isRight));
    }

    final History<S> history() {
        return history;
    }
}
