package io.counterkit.tck.internal.history;

import io.counterkit.IdempotencyToken;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.spi.Limits;
import io.counterkit.tck.internal.history.History.Meaning;
import io.counterkit.tck.internal.history.History.Pending;
import io.counterkit.tck.internal.history.Operation.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Records the calls on one counter, and what their answers mean. Thread-safe. */
final class CounterCalls extends ObjectCalls<CounterState> {
    CounterCalls(String name, LongSupplier nanoTime) {
        super(name, CounterState.ABSENT, nanoTime);
    }

    Pending<Boolean> add(int process, long delta, @Nullable IdempotencyToken token) {
        Resolution added = new Resolution.Added(name, delta);
        boolean isInRange = -Limits.MAX_DELTA <= delta && delta <= Limits.MAX_DELTA;
        return history.change(
                process,
                new Meaning<CounterState, Boolean>(
                        "add " + delta,
                        Kind.ADDITION,
                        token,
                        state -> isInRange ? state.added(delta) : null,
                        state -> added,
                        (state, done) -> true,
                        (state, done) -> added.equals(state.tokens().of(token)),
                        (state, refusal) ->
                                isSeal(state, refusal) || (!isInRange && refusal instanceof IllegalArgumentException)));
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
                        Kind.OTHER,
                        null,
                        effect,
                        state -> new Resolution.Done(name),
                        (state, done) -> true,
                        (state, done) -> true,
                        ObjectCalls::isSeal));
    }

    Pending<Long> read(int process, String how) {
        BiPredicate<CounterState, Long> isRight = CounterState::shows;
        return history.read(process, how, List.of(isRight));
    }

    /**
     * Begins the receipt of a watched total. The counter may have had it at any earlier moment: its age was true then.
     */
    Pending<Reading> watched(int process) {
        BiPredicate<CounterState, Reading> isRight = (state, reading) -> state.shows(reading.value());
        return history.read(process, "watched total", reading -> Long.MAX_VALUE, List.of(isRight));
    }

    /** Begins a read of a total that is at most as old as it states, and as {@code bound}. */
    Pending<Reading> read(int process, String how, Duration bound) {
        BiPredicate<CounterState, Reading> isRight = (state, reading) -> state.shows(reading.value())
                && !reading.staleness().isNegative()
                && reading.staleness().compareTo(bound) <= 0;
        return history.read(
                process, how, reading -> TimeUnit.NANOSECONDS.convert(reading.staleness()), List.of(isRight));
    }
}
