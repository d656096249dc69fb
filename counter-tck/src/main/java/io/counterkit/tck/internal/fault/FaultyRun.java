package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.internal.model.SequenceHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Random adds and appends of several processes, with random faults. Of the changes with an unknown outcome, some are
 * repeated with their token, some are resolved immediately and the others at the end. Then the totals and numbers must
 * match the applied changes.
 */
public final class FaultyRun {
    private static final StoreFault[] FAULTS = {StoreFault.FAIL_BEFORE, StoreFault.LOSE_REPLY};

    private final ConcurrentTasks tasks;
    private final List<Counters> processes;
    private final List<String> names = new ArrayList<>();
    private final long seed;
    private final ConcurrentMap<String, AtomicLong> applied = new ConcurrentHashMap<>();
    private final ConcurrentMap<IdempotencyToken, Sent> open = new ConcurrentHashMap<>();

    public FaultyRun(ConcurrentTasks tasks, List<Counters> processes, Supplier<String> names, long seed) {
        this.tasks = tasks;
        this.processes = List.copyOf(processes);
        this.seed = seed;
        for (int i = 0; i < 3; i++) {
            this.names.add(names.get());
        }
    }

    /** Runs {@code rounds} rounds of a few changes in each of {@code threads} threads. */
    public void run(int threads, int rounds) throws Exception {
        tasks.runAtOnce(threads, thread -> {
            Random random = new Random(seed + thread);
            for (int round = 0; round < rounds; round++) {
                round(random);
            }
        });
    }

    private void round(Random random) {
        Counters process = processes.get(random.nextInt(processes.size()));
        List<InjectedFault> faults = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            faults.add(tasks.faults().inject(FAULTS[random.nextInt(FAULTS.length)], 1 + random.nextInt(4)));
        }
        List<Sent> sent = new ArrayList<>();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            sent.add(send(process, random));
        }
        for (Sent each : sent) {
            await(each, random);
        }
        faults.forEach(InjectedFault::close);
    }

    private Sent send(Counters process, Random random) {
        String name = names.get(random.nextInt(names.size()));
        IdempotencyToken token = random.nextBoolean() ? IdempotencyToken.random() : null;
        if (random.nextInt(3) == 0) {
            var sequence = process.sequence(name).async();
            return new Sent(
                    "sequence " + name,
                    1,
                    token == null ? sequence.append(Map.of()) : sequence.append(Map.of(), token));
        }
        long delta = random.nextLong(-1000, 1001);
        var counter = process.counter(name).async();
        return new Sent("counter " + name, delta, token == null ? counter.add(delta) : counter.add(delta, token));
    }

    private void await(Sent sent, Random random) {
        try {
            sent.answer.join();
            count(sent);
        } catch (CompletionException e) {
            if (e.getCause() instanceof OutcomeUnknownException unknown) {
                if (random.nextBoolean()) {
                    open.put(unknown.token(), sent);
                } else if (Outcomes.isApplied(processes.get(random.nextInt(2)), unknown.token())) {
                    count(sent);
                }
            } else if (!(e.getCause() instanceof CounterException)) {
                throw e;
            }
        }
    }

    private void count(Sent sent) {
        applied.computeIfAbsent(sent.place, place -> new AtomicLong()).addAndGet(sent.amount);
    }

    /** Resolves the remaining unknown outcomes and compares the stored state with the applied changes. */
    public void check(Counters observing) {
        open.forEach((token, sent) -> {
            if (Outcomes.isApplied(observing, token)) {
                count(sent);
            }
        });
        for (String name : names) {
            assertThat(observing.counter(name).get())
                    .as("the total after random faults, seed %s", seed)
                    .isEqualTo(applied("counter " + name));
            SequenceHistory.checkOneTo(
                    applied("sequence " + name),
                    SequenceHistory.numbersIn(observing.sequence(name)),
                    "the numbers after random faults, seed " + seed + ",");
        }
    }

    private long applied(String place) {
        AtomicLong amount = applied.get(place);
        return amount == null ? 0 : amount.get();
    }

    private record Sent(String place, long amount, CompletableFuture<?> answer) {}
}
