package io.counterkit.tck.internal.history;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.tck.internal.history.History.Meaning;
import io.counterkit.tck.internal.history.History.Pending;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls on one counter: records each, and what its answer means. Thread-safe. */
final class CounterCalls extends ObjectCalls<CounterState> {
    CounterCalls(String name) {
        super(name, CounterState.ABSENT);
    }

    Pending<Boolean> add(int process, long delta, @Nullable IdempotencyToken token) {
        Resolution added = new Resolution.Added(name, delta);
        return history.change(
                process,
                new Meaning<CounterState, Boolean>(
                        "add " + delta,
                        token,
                        state -> state.added(delta),
                        state -> added,
                        (state, done) -> true,
                        (state, done) -> added.equals(state.tokens().of(token)),
                        ObjectCalls::isSeal));
    }

    Pending<Boolean> reset(int process) {
        return clear(process, "reset", CounterState::reset);
    }

    Pending<Boolean> delete(int process) {
        return clear(process, "delete", CounterState::deleted);
    }

    private Pending<Boolean> clear(int process, String what, Function<CounterState, @Nullable CounterState> effect) {
        return history.change(
                process,
                new Meaning<CounterState, Boolean>(
                        what,
                        null,
                        effect,
                        state -> new Resolution.Done(name),
                        (state, done) -> true,
                        (state, done) -> true,
                        ObjectCalls::isSeal));
    }

    Pending<Long> read(int process, String how) {
        return observe(process, how, (state, total) -> state.total() == total);
    }

    Pending<Boolean> isListed(int process) {
        return observe(process, "is listed", (state, isListed) -> state.isPresent() == isListed);
    }

    private <T> Pending<T> observe(int process, String text, BiPredicate<CounterState, T> isRight) {
        return history.read(process, text, List.of(isRight));
    }
}
