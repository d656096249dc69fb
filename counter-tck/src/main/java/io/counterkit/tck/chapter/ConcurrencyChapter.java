package io.counterkit.tck.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.tck.Rule;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.model.ModelRun;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Chapter 4: concurrency. */
public abstract class ConcurrencyChapter extends Chapter {
    @Test
    @Rule(
            value = "4.1",
            lookAt = "a read-modify-write without a transaction; a commit that drops a member of its batch")
    final void spec401_noAddIsLost() throws Exception {
        Counter counter = counter();
        try (ConcurrentTasks tasks = new ConcurrentTasks(fixture())) {
            tasks.runAtOnce(8, thread -> {
                Counter mine = thread % 2 == 0 ? counter : elsewhere(counter);
                for (int i = 0; i < 125; i++) {
                    mine.increment();
                }
                return true;
            });
        }
        assertThat(counter.get()).isEqualTo(1000);
    }

    @Test
    @Rule(value = "4.2", lookAt = "what creates a counter on first use, and whether it overwrites what is there")
    final void spec402_firstAddsAtOnceAllCount() throws Exception {
        for (int round = 0; round < 10; round++) {
            Counter counter = counter();
            try (ConcurrentTasks tasks = new ConcurrentTasks(fixture())) {
                tasks.runAtOnce(6, thread -> {
                    (thread % 2 == 0 ? counter : elsewhere(counter)).add(thread + 1L);
                    return true;
                });
            }
            assertThat(counter.get()).isEqualTo(21);
        }
    }

    @Test
    @Rule(value = "4.3", lookAt = "adds to several counters that share a commit")
    final void spec403_mixedDeltasComeToTheirSum() throws Exception {
        List<Counter> counters = List.of(counter(), counter(), counter());
        List<long[]> sums;
        try (ConcurrentTasks tasks = new ConcurrentTasks(fixture())) {
            sums = tasks.runAtOnce(6, thread -> {
                Random deltas = new Random(seed + thread);
                long[] sum = new long[counters.size()];
                for (int i = 0; i < 60; i++) {
                    int c = deltas.nextInt(counters.size());
                    long delta = deltas.nextLong(-1_000_000, 1_000_001);
                    (thread % 2 == 0 ? counters.get(c) : elsewhere(counters.get(c))).add(delta);
                    sum[c] += delta;
                }
                return sum;
            });
        }
        for (int c = 0; c < counters.size(); c++) {
            int index = c;
            assertThat(counters.get(c).get())
                    .as("seed %s", seed)
                    .isEqualTo(sums.stream()
                            .flatMapToLong(sum -> LongStream.of(sum[index]))
                            .sum());
        }
    }

    @Test
    @Rule(value = "4.4", lookAt = "the operation before the one that differs; repeat it with the seed")
    final void spec404_randomOperationsDoAsThePlainModel() {
        ModelRun run = new ModelRun(List.of(here(), there()), List.of(name(), name(), name()), this::isApplied, seed);
        for (int step = 0; step < 150; step++) {
            run.step(step);
        }
    }
}
