package io.counterkit.migration;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.SealedException;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Adds and appends to random names, and records its changes. It repeats a change that its configuration refuses because of a
 * seal with the next configuration, like an operator who deploys after the first refusal.
 */
public final class MigrationWriter {
    private final Map<String, Long> added = new HashMap<>();
    private final Map<String, List<Long>> numbers = new HashMap<>();
    private final Counters own;
    private final Counters next;
    private final List<String> counters;
    private final List<String> sequences;
    private final Random random;
    private long refused;

    /**
     * @param own the first configuration
     * @param next the configuration with the migration
     */
    public MigrationWriter(Counters own, Counters next, List<String> counters, List<String> sequences, long seed) {
        this.own = own;
        this.next = next;
        this.counters = counters;
        this.sequences = sequences;
        this.random = new Random(seed);
    }

    /** Long enough for writers that contend with each other on a busy machine. */
    public static Counters patient(CounterBackend backend) {
        return Counters.over(
                backend,
                CountersOptions.builder().deadline(Duration.ofMinutes(10)).build());
    }

    /** Runs until it is stopped. */
    public MigrationWriter work(AtomicBoolean isOver) {
        while (!isOver.get()) {
            String counter = counters.get(random.nextInt(counters.size()));
            long delta = random.nextLong(-4, 5);
            change(at -> {
                at.counter(counter).add(delta);
                return delta;
            });
            added.merge(counter, delta, Long::sum);
            String sequence = sequences.get(random.nextInt(sequences.size()));
            long number = change(
                    at -> at.sequence(sequence).append(Map.of("live", true)).number());
            numbers.computeIfAbsent(sequence, name -> new ArrayList<>()).add(number);
        }
        return this;
    }

    private long change(Function<Counters, Long> change) {
        try {
            return change.apply(own);
        } catch (SealedException e) {
            refused++;
            return change.apply(next);
        }
    }

    long added(String counter) {
        return added.getOrDefault(counter, 0L);
    }

    List<Long> numbers(String sequence) {
        return numbers.getOrDefault(sequence, List.of());
    }

    /** Returns how many changes a seal refused. */
    public long refused() {
        return refused;
    }
}
