package io.counterkit.tck.internal.history;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.tck.internal.history.History.Meaning;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Adds, reads, resets, deletes and seals a counter, and resolves tokens. */
public final class CounterWorkload implements Workload {
    private static final long LARGEST_DELTA = 1_000;
    private static final int TOKENS = 4;

    private final String name;
    private final boolean isSealed;
    private final History<CounterState> history = new History<>(CounterState.ABSENT);

    /** Adds that several processes send under the same tokens. */
    private final List<Add> shared;

    /** Adds whose outcome is unknown. */
    private final Queue<Add> unknownAdds = new ConcurrentLinkedQueue<>();

    /** Other changes whose outcome is unknown. */
    private final Queue<IdempotencyToken> unknownChanges = new ConcurrentLinkedQueue<>();

    private record Add(long delta, @Nullable IdempotencyToken token) {}

    /** Creates the workload of the counter of this name. */
    public CounterWorkload(String name, Random random, boolean isSealed) {
        this.name = name;
        this.isSealed = isSealed;
        this.shared = Stream.generate(() -> new Add(delta(random), IdempotencyToken.random()))
                .limit(TOKENS)
                .toList();
    }

    private static long delta(Random random) {
        return random.nextLong(-LARGEST_DELTA, LARGEST_DELTA + 1);
    }

    @Override
    public void step(int process, Counters counters, Random random) {
        Counter counter = counters.counter(name);
        switch (random.nextInt(isSealed ? 21 : 20)) {
            case 0, 1, 2, 3, 4 -> add(process, counter, new Add(delta(random), null));
            case 5, 6, 7, 8 -> add(process, counter, shared.get(random.nextInt(TOKENS)));
            case 9, 10, 11 -> settle(process, counters, random);
            case 12 ->
                resolve(process, counters, shared.get(random.nextInt(TOKENS)).token());
            case 13 -> clear(process, "reset", counter::reset);
            case 14 -> clear(process, "delete", counter::delete);
            case 15 -> readAll(process, counters);
            case 20 -> seal(process, counter);
            default -> history.read(process, "read", counter::get, (state, total) -> state.total() == total);
        }
    }

    private void add(int process, Counter counter, Add add) {
        IdempotencyToken unknown = history.change(
                process,
                new Meaning<CounterState, Boolean>(
                        "add " + add.delta(),
                        add.token(),
                        (state, done) ->
                                state.isSealed() ? null : state.changed(state.total() + add.delta(), add.token()),
                        (state, token) -> state.isSealed() ? state : state.changed(state.total() + add.delta(), token),
                        (state, done) -> true,
                        state -> false),
                () -> {
                    if (add.token() == null) {
                        counter.add(add.delta());
                    } else {
                        counter.add(add.delta(), add.token());
                    }
                    return true;
                });
        if (unknown != null) {
            unknownAdds.add(new Add(add.delta(), unknown));
        }
    }

    /** Resets or deletes. */
    private void clear(int process, String what, Runnable clear) {
        IdempotencyToken unknown = history.change(
                process,
                new Meaning<CounterState, Boolean>(
                        what,
                        null,
                        (state, done) -> state.isSealed() ? null : state.changed(0, null),
                        (state, token) -> state.isSealed() ? state : state.changed(0, token),
                        (state, done) -> true,
                        state -> false),
                () -> {
                    clear.run();
                    return true;
                });
        if (unknown != null) {
            unknownChanges.add(unknown);
        }
    }

    private void seal(int process, Counter counter) {
        IdempotencyToken unknown = history.change(
                process,
                new Meaning<CounterState, Seal>(
                        "seal",
                        null,
                        (state, seal) -> seal.last() == state.total() ? state.sealed(null) : null,
                        CounterState::sealed,
                        (state, seal) -> true,
                        state -> false),
                () -> counter.seal("elsewhere"));
        if (unknown != null) {
            unknownChanges.add(unknown);
        }
    }

    /** Repeats an add whose outcome is unknown, or resolves it or another change. */
    private void settle(int process, Counters counters, Random random) {
        IdempotencyToken change = unknownChanges.poll();
        if (change != null) {
            resolve(process, counters, change);
            return;
        }
        Add add = unknownAdds.poll();
        if (add == null) {
            add(process, counters.counter(name), new Add(delta(random), null));
        } else if (random.nextBoolean()) {
            add(process, counters.counter(name), add);
        } else {
            resolve(process, counters, add.token());
        }
    }

    private void resolve(int process, Counters counters, @Nullable IdempotencyToken token) {
        if (token != null && !history.resolve(process, token, () -> counters.resolve(token), this::isOfThisCounter)) {
            unknownChanges.add(token);
        }
    }

    private boolean isOfThisCounter(CounterState state, Resolution resolution) {
        return resolution instanceof Resolution.Added added
                ? added.counter().equals(name)
                : resolution instanceof Resolution.Done done && done.name().equals(name);
    }

    private void readAll(int process, Counters counters) {
        history.read(
                process,
                "read all",
                () -> counters.readAll(List.of(name), Duration.ZERO).get(name).value(),
                (state, total) -> state.total() == total);
    }

    @Override
    public void finish(int process, Counters counters) {
        history.read(process, "read", counters.counter(name)::get, (state, total) -> state.total() == total);
    }

    @Override
    public @Nullable String violation() {
        Violation<CounterState> violation = Violation.find(history.initial(), history.operations());
        return violation == null ? null : "counter '" + name + "'" + violation;
    }
}
