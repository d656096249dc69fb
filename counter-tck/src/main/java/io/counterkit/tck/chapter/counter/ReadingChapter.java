package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.CountersListener;
import io.counterkit.NamedReading;
import io.counterkit.Outcome;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.model.CounterHistory;
import io.counterkit.tck.internal.model.Overflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Chapter 3: reading and consistency. */
public abstract class ReadingChapter extends Chapter {
    /** How much the clocks of a store and of the kit may differ, besides the age of a cached reading. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(20);

    @Test
    @Rule(value = "3.1", lookAt = "caches, and reads from a replica")
    final void spec301_strongReadSeesEveryAcknowledgedAdd() {
        Counter counter = counter();
        for (int i = 1; i <= 30; i++) {
            (i % 2 == 0 ? counter : elsewhere(counter)).increment();
            assertThat(counter.get()).isEqualTo(i);
            assertThat(elsewhere(counter).get()).isEqualTo(i);
        }
    }

    @Test
    @Rule(value = "3.2", lookAt = "parts of a total that are not read in one step; stale reads")
    final void spec302_strongReadsFitTheHistory() throws Exception {
        Counter counter = counter();
        CounterHistory history = new CounterHistory();
        readWhileFourWrite(
                () -> {
                    history.read(counter::get);
                    history.read(() -> elsewhere(counter).get());
                },
                thread -> {
                    Counter mine = thread % 2 == 0 ? counter : elsewhere(counter);
                    for (int i = 0; i < 40; i++) {
                        history.add(7, () -> mine.add(7));
                    }
                    return true;
                });
        history.read(counter::get);
        history.check();
    }

    @Test
    @Rule(value = "3.3", lookAt = "a read that sees part of an add, such as an add that is written in two steps")
    final void spec303_readReturnsOnlyTotals() throws Exception {
        Counter counter = counter();
        readWhileFourWrite(
                () -> {
                    assertSumOfWholeAdds(counter.get());
                    assertSumOfWholeAdds(counter.read(Duration.ofMinutes(1)).value());
                },
                thread -> {
                    for (int i = 0; i < 40; i++) {
                        elsewhere(counter).add(1_000_003);
                    }
                    return true;
                });
        assertThat(counter.get()).isEqualTo(160 * 1_000_003L);
    }

    @Test
    @Rule(value = "3.4", lookAt = "the choice between cache, roll-up and strong read, and the age that is reported")
    final void spec304_boundedReadIsNotOlderThanAllowed() {
        Counter counter = counter();
        Duration allowed = Duration.ofMinutes(10);
        List<Long> acknowledged = new ArrayList<>();
        for (int i = 1; i <= 25; i++) {
            long start = System.nanoTime();
            Reading reading = elsewhere(counter).read(allowed);
            assertThat(reading.staleness()).isBetween(Duration.ZERO, allowed);
            assertThat(reading.asOf())
                    .as("the moment of a reading, by the clock of the store")
                    .isBetween(
                            Instant.now().minus(CLOCK_DIFFERENCE), Instant.now().plus(CLOCK_DIFFERENCE));
            long then = start - reading.staleness().toNanos();
            assertThat(reading.value())
                    .as("a total that is %s old", reading.staleness())
                    .isBetween(acknowledged.stream().filter(ack -> ack < then).count(), (long) acknowledged.size());
            counter.increment();
            acknowledged.add(System.nanoTime());
        }
        await().pollInSameThread()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(
                                elsewhere(counter).read(Duration.ofMillis(50)).value())
                        .as("a read with a staleness bound of 50 ms, long after the last add")
                        .isEqualTo(25));
    }

    @Test
    @Rule(value = "3.5", lookAt = "whether a read with zero staleness uses a cache")
    final void spec305_zeroStalenessIsStrong() {
        Counter counter = counter();
        for (int i = 1; i <= 20; i++) {
            counter.increment();
            assertThat(elsewhere(counter).read(Duration.ofMinutes(10)).value()).isLessThanOrEqualTo(i);
            Reading strong = elsewhere(counter).read(Duration.ZERO);
            assertThat(strong.value()).isEqualTo(i);
            assertThat(strong.staleness()).isZero();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> counter.read(Duration.ofMillis(-1)))
                .withMessageContaining("-1 ms");
    }

    @Test
    @Rule(value = "3.6", lookAt = "the order of the results of a read of several names")
    final void spec306_readAllReturnsEachTotal() {
        List<Counter> counters = List.of(counter(), counter(), counter(), counter());
        for (int i = 0; i < 3; i++) {
            counters.get(i).add(10 + i);
        }
        List<String> names = counters.stream().map(Counter::name).toList();
        Readings readings = there().readAll(
                        List.of(names.get(2), names.get(0), names.get(3), names.get(1), names.get(0)), Duration.ZERO);
        assertThat(readings.values())
                .containsEntry(names.get(0), 10L)
                .containsEntry(names.get(1), 11L)
                .containsEntry(names.get(2), 12L)
                .containsEntry(names.get(3), 0L)
                .hasSize(4);
        assertThat(readings.failures()).isEmpty();
        assertThat(there().readAll(List.of(), Duration.ZERO).values()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> readings.get("another name"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> here().readAll(Collections.nCopies(1, ""), Duration.ZERO));
    }

    @Test
    @Rule(value = "3.7", lookAt = "whether one counter's failure fails the whole read")
    final void spec307_unreadableCounterDoesNotAffectOthers() {
        Counter good = counter();
        Counter bad = counter();
        good.add(3);
        Overflow.above(bad);
        Readings readings = there().readAll(List.of(bad.name(), good.name()), Duration.ZERO);
        assertThat(readings.get(good.name()).value()).isEqualTo(3);
        assertThatExceptionOfType(CounterOverflowException.class).isThrownBy(() -> readings.get(bad.name()));
        assertThat(readings.failures()).containsOnlyKeys(bad.name());
    }

    @Test
    @Rule(value = "3.15", lookAt = "the result for names that cannot be read in a read of several names")
    final void spec315_readFailsIfNoCounterCanBeRead() {
        Counter bad = counter();
        Overflow.above(bad);
        assertThatExceptionOfType(CounterOverflowException.class)
                .isThrownBy(() -> there().readAll(List.of(bad.name(), bad.name()), Duration.ZERO));
        CompletableFuture<Readings> async = there().async().readAll(List.of(bad.name()), Duration.ZERO);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(async::join)
                .withCauseInstanceOf(CounterOverflowException.class);
        for (StoreFault fault : List.of(StoreFault.FAIL_BEFORE, StoreFault.LOSE_REPLY)) {
            sweep(fault, () -> List.of(counter(5).name(), counter(6).name()), (names, trial) -> {
                try {
                    assertThat(there().readAll(names, Duration.ZERO).values())
                            .as("%s: the values of two counters", trial)
                            .isNotEmpty();
                } catch (CounterException e) {
                    assertThat(e.outcome()).as("%s", trial).isEqualTo(Outcome.NOT_APPLIED);
                }
            });
        }
    }

    @Test
    @Rule(value = "3.8", lookAt = "Capability.TOP: declared if and only if top works")
    final void spec308_topIsDeclaredAndRightOrRefused() {
        String prefix = name();
        if (!declares(Capability.TOP)) {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> here().top(prefix, 3))
                    .withMessageContaining("largest");
            CounterBackend backend = backend();
            assertUnsupported(() ->
                    backend.counters().top(prefix, 3, new Call(Duration.ofSeconds(20), CountersListener.disabled())));
            return;
        }
        here().counter(prefix + "/b").add(7);
        here().counter(prefix + "/a").add(7);
        here().counter(prefix + "/negative").add(-1);
        here().counter(prefix + "/large").add(1L << 40);
        awaitLists(() -> assertThat(there().top(prefix, 3))
                .extracting(NamedReading::name, named -> named.reading().value())
                .containsExactly(
                        tuple(prefix + "/large", 1L << 40), tuple(prefix + "/a", 7L), tuple(prefix + "/b", 7L)));
    }

    private static void assertSumOfWholeAdds(long total) {
        assertThat(total % 1_000_003)
                .as("the remainder of the total %s, a sum of adds of 1000003", total)
                .isZero();
    }

    /** Repeats {@code read} until four writing threads have ended or one of them has failed. */
    private void readWhileFourWrite(Runnable read, ConcurrentTasks.NumberedTask<Boolean> write) throws Exception {
        AtomicBoolean writing = new AtomicBoolean(true);
        try (ConcurrentTasks tasks = new ConcurrentTasks(fixture())) {
            Future<Boolean> reader = tasks.start(() -> {
                while (writing.get()) {
                    read.run();
                }
                return true;
            });
            try {
                tasks.runAtOnce(4, write);
            } finally {
                writing.set(false);
            }
            ConcurrentTasks.result(reader);
        }
    }
}
