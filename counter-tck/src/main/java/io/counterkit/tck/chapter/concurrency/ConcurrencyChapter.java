package io.counterkit.tck.chapter.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.model.ListedNames;
import io.counterkit.tck.internal.model.ModelRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Chapter 4: concurrency. */
public abstract class ConcurrencyChapter extends Chapter {
    private static final int MOST_ROUNDS = 60;
    private static final int FEW_ROUNDS = 3;

    /** How many milliseconds the rounds after the first few may take. */
    private static final int LONG = 2_000;

    private static final int SHORT = 400;

    private static final int CALLERS = 4;

    @Test
    @Rule(
            value = "4.1",
            lookAt = "a read-modify-write without a transaction; a commit that drops a request of its batch")
    final void spec401_noAddIsLost() throws Exception {
        Counter counter = counter();
        tasks().runAtOnce(8, thread -> {
            Counter mine = thread % 2 == 0 ? counter : elsewhere(counter);
            for (int i = 0; i < 125; i++) {
                mine.increment();
            }
        });
        assertTotal(counter, 1000);
    }

    @Test
    @Rule(
            value = "4.2",
            lookAt = "the creation of a counter on its first add, and whether it overwrites an existing one")
    final void spec402_concurrentFirstAddsAllCount() throws Exception {
        for (int round = 0; round < 10; round++) {
            Counter counter = counter();
            tasks().runAtOnce(6, thread -> {
                (thread % 2 == 0 ? counter : elsewhere(counter)).add(thread + 1L);
            });
            assertTotal(counter, 21);
        }
    }

    @Test
    @Rule(value = "4.3", lookAt = "adds to several counters that share a commit")
    final void spec403_concurrentDeltasAreSummed() throws Exception {
        List<Counter> counters = List.of(counter(), counter(), counter());
        List<long[]> sums = tasks().callAtOnce(6, thread -> {
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
        for (int c = 0; c < counters.size(); c++) {
            int index = c;
            assertThat(counters.get(c).get())
                    .as("seed %s: the total", seed)
                    .isEqualTo(sums.stream()
                            .flatMapToLong(sum -> LongStream.of(sum[index]))
                            .sum());
        }
    }

    @Test
    @Rule(value = "4.4", lookAt = "the operation before the first difference; the seed repeats the run")
    final void spec404_randomOperationsMatchTheModel() {
        ModelRun run = new ModelRun(List.of(here(), there()), List.of(name(), name(), name()), this::isApplied, seed);
        int steps = size(150, 50);
        for (int step = 0; step < steps; step++) {
            run.step(step);
        }
    }

    @Test
    @Rule(
            value = "4.11",
            lookAt =
                    "what calls of one process share: a buffer, a statement, a field that one call sets and another one"
                            + " uses")
    final void spec411_concurrentCallsOfOneProcessReturnTheirOwnAnswers() throws Exception {
        long most = TimeUnit.MILLISECONDS.toNanos(size(LONG, SHORT));
        tasks().runAtOnce(CALLERS, caller -> {
            String name = name();
            IdempotencyToken token = IdempotencyToken.random();
            Sequence sequence = here().sequence(name);
            for (int i = 0; i <= caller; i++) {
                sequence.append(Map.of("name", name));
            }
            here().counter(name).add(caller, token);
            List<Entry> entries = new ArrayList<>(sequence.read(1, 1000));
            assertThat(entries).hasSize(caller + 1);
            long start = System.nanoTime();
            for (int i = 0; i < MOST_ROUNDS && (i < FEW_ROUNDS || System.nanoTime() - start < most); i++) {
                assertTotal(here().counter(name), caller);
                assertThat(here().readAll(List.of(name, name + "/"), Duration.ZERO)
                                .values())
                        .as("the totals")
                        .isEqualTo(Map.of(name, (long) caller, name + "/", 0L));
                assertLast(sequence, caller + 1);
                assertThat(sequence.read(caller + 1, caller + 1))
                        .as("the last entry")
                        .containsExactly(entries.get(caller));
                assertThat(here().resolve(token)).as("the resolution").isEqualTo(new Resolution.Added(name, caller));
                assertThat(ListedNames.ofCounters(here(), name))
                        .as("the names with the prefix %s", name)
                        .allMatch(found -> found.startsWith(name));
                sequence.erase(caller + 1);
                entries.set(caller, entries.get(caller).withoutFields());
            }
            for (int i = 0; i < FEW_ROUNDS; i++) {
                awaitLists(() -> assertThat(ListedNames.ofCounters(here(), name))
                        .as("the names")
                        .containsExactly(name));
            }
            assertThat(sequence.read(1, 1000)).as("the entries").isEqualTo(entries);
        });
    }

    @Test
    @Rule(value = "3.20", lookAt = "a read that returns the answer of another one that was under way when it began")
    final void spec320_readThatBeginsDuringAnotherOneIsStrong() throws Exception {
        long most = TimeUnit.MILLISECONDS.toNanos(size(LONG, SHORT));
        Counter counter = counter(1);
        Sequence sequence = sequence();
        sequence.next();
        List<ConcurrentTasks.Task> reads = List.of(
                () -> {
                    counter.get();
                    sequence.tail();
                },
                () -> sequence.read(1, 1000));
        tasks().repeatWhile(reads, () -> {
            long start = System.nanoTime();
            for (int i = 2; i <= 5 * MOST_ROUNDS && (i < 10 || System.nanoTime() - start < most); i += 2) {
                elsewhere(counter).increment();
                assertThat(counter.get()).as("the total after %s adds", i).isEqualTo(i);
                elsewhere(sequence).next();
                assertThat(sequence.tail().last())
                        .as("the last number after %s appends", i)
                        .isEqualTo(i);
                elsewhere(sequence).next();
                elsewhere(counter).increment();
                assertThat(sequence.read(1, 1000))
                        .as("the entries after %s appends", i + 1)
                        .hasSize(i + 1);
            }
        });
    }
}
