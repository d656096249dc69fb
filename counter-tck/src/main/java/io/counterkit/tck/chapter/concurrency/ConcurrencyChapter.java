package io.counterkit.tck.chapter.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
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
            lookAt = "a read-modify-write without a transaction; a commit that drops a request of its batch")
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
    @Rule(
            value = "4.2",
            lookAt = "the creation of a counter on its first add, and whether it overwrites an existing one")
    final void spec402_concurrentFirstAddsAllCount() throws Exception {
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
    final void spec403_concurrentDeltasAreSummed() throws Exception {
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
    @Rule(value = "4.4", lookAt = "the operation before the first difference; the seed repeats the run")
    final void spec404_randomOperationsMatchTheModel() {
        ModelRun run = new ModelRun(List.of(here(), there()), List.of(name(), name(), name()), this::isApplied, seed);
        for (int step = 0; step < 150; step++) {
            run.step(step);
        }
    }
}
