package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.Counters;
import io.counterkit.Outcome;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Result;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.model.Overflow;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 3, continued: reads of many counters. */
public abstract class ReadAllChapter extends Chapter {
    /**
     * How often the ages of cached totals are checked: in a single check, a pause of the thread may hide a wrong age.
     */
    private static final int TURNS = 5;

    /** A staleness bound that is shorter than the time since the last change. */
    private static final Duration JUST_NOW = Duration.ofNanos(1);

    /** The indexes of the names in reads with repeated names. */
    private static final List<List<Integer>> REPEATED = List.of(
            List.of(0, 0), List.of(3, 1, 3, 1), List.of(0, 1, 2, 1, 0), List.of(2, 1, 1, 3, 0, 3, 2, 2, 0, 1, 1, 3, 0));

    @Test
    @Rule(value = "3.6", lookAt = "the order of the results of a read of several names, some of which are repeated")
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
        names.forEach(name -> ReadingChapter.assertIsRecent(readings.get(name)));
        Counters other = connect();
        other.counter(names.get(1)).read(Duration.ofMinutes(10)); // which may fill a cache
        Map<String, Long> bounded = other.readAll(
                        List.of(names.get(2), names.get(0), names.get(3), names.get(1)), Duration.ofMinutes(10))
                .values();
        for (int i = 0; i < 4; i++) {
            assertThat(bounded.get(names.get(i)))
                    .as("the total of one of several counters that were read with a staleness bound")
                    .isIn(0L, i < 3 ? 10L + i : 0L);
        }
        assertThat(there().readAll(List.of(), Duration.ZERO).values()).isEmpty();
        assertThat(there().readAll(List.of(), JUST_NOW).values()).isEmpty();
        List<Long> totals = List.of(10L, 11L, 12L, 0L);
        for (List<Integer> places : REPEATED) {
            assertTotals(
                    places.stream().map(names::get).toList(),
                    places.stream().map(totals::get).toList());
        }
        assertThatIllegalArgumentException().isThrownBy(() -> readings.get("another name"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> here().readAll(Collections.nCopies(1, ""), Duration.ZERO));
    }

    /**
     * Checks reads below the API layer, which removes repeated names.
     *
     * @param totals the totals of the names, where null stands for one that is out of range
     */
    private void assertTotals(List<String> names, List<@Nullable Long> totals) {
        CounterStore store = backend().counters();
        for (Duration allowed : List.of(Duration.ZERO, JUST_NOW)) {
            List<Result<Reading>> results = store.read(names, allowed, commit()).join();
            assertThat(results).hasSameSizeAs(names);
            for (int i = 0; i < names.size(); i++) {
                Result<Reading> result = results.get(i);
                if (totals.get(i) == null) {
                    assertThat(result.failure()).isInstanceOf(CounterOverflowException.class);
                } else {
                    assertThat(result.orThrow().value())
                            .as("the total of name %s in a read of %s, in which names are repeated", i + 1, names)
                            .isEqualTo(totals.get(i));
                }
            }
        }
    }

    @Test
    @Rule(value = "3.7", lookAt = "whether one counter's failure fails the whole read")
    final void spec307_unreadableCounterDoesNotAffectOthers() {
        Counter good = counter();
        Counter bad = counter();
        good.add(3);
        Overflow.above(bad);
        Readings readings = there().readAll(List.of(bad.name(), good.name()), Duration.ZERO);
        assertThat(readings.get(good.name()).value()).as("the total").isEqualTo(3);
        assertThatExceptionOfType(CounterOverflowException.class).isThrownBy(() -> readings.get(bad.name()));
        assertThat(readings.failures()).containsOnlyKeys(bad.name());
        assertTotals(
                List.of(bad.name(), bad.name(), good.name(), good.name(), bad.name()),
                Arrays.asList(null, null, 3L, 3L, null));
        assertTotals(List.of(bad.name(), bad.name()), Arrays.asList(null, null));
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
        sweepFailures(() -> List.of(counter(5).name(), counter(6).name()), (names, trial) -> {
            try {
                assertThat(there().readAll(names, Duration.ZERO).values())
                        .as("%s: the values of two counters", trial)
                        .isNotEmpty();
            } catch (CounterException e) {
                assertThat(e.outcome())
                        .as("%s: the outcome of the failed read", trial)
                        .isEqualTo(Outcome.NOT_APPLIED);
            }
        });
    }

    @Test
    @Rule(
            value = "3.21",
            lookAt =
                    "cached totals of different ages in a read of several names; totals that stay in the cache after an"
                            + " add, a reset or a deletion by another process")
    final void spec321_boundedReadOfManyIsNotOlderThanAllowed() {
        List<Counter> counters = List.of(counter(3), counter(5), counter(7), counter());
        List<String> names = counters.stream().map(Counter::name).toList();
        Duration allowed = Duration.ofMinutes(10);
        assertThat(there().readAll(names, Duration.ZERO).values()).containsValues(0L, 3L, 5L, 7L);
        there().readAll(names, allowed);
        counters.get(0).add(1);
        counters.get(1).reset();
        counters.get(2).delete();
        counters.get(3).add(9);
        long changed = System.nanoTime();
        List<Long> totals = List.of(4L, 0L, 0L, 9L);
        for (int round = 0; round < 3; round++) {
            long start = System.nanoTime();
            Readings readings = there().readAll(names, allowed);
            for (int i = 0; i < names.size(); i++) {
                Reading reading = readings.get(names.get(i));
                assertThat(reading.staleness()).isBetween(Duration.ZERO, allowed);
                ReadingChapter.assertIsRecent(reading);
                if (start - reading.staleness().toNanos() > changed) {
                    assertThat(reading.value())
                            .as(
                                    "a total that was changed more than %s ago, which is the age that the reading"
                                            + " states",
                                    Durations.inWords(reading.staleness()))
                            .isEqualTo(totals.get(i));
                }
            }
        }
        await().pollInSameThread()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(
                                there().readAll(names, Duration.ofMillis(50)).values())
                        .as("totals read with a staleness bound of 50 ms, long after the last change")
                        .isEqualTo(there().readAll(names, Duration.ZERO).values()));
        assertThat(there().readAll(names, Duration.ofNanos(1)).values())
                .as("totals read with the shortest staleness bound")
                .isEqualTo(there().readAll(names, Duration.ZERO).values());
        for (int turn = 0; turn < TURNS; turn++) {
            assertEachHasItsOwnAge(allowed);
        }
    }

    /** Reads a counter, changes it, reads another one, and then reads both in one call. */
    private void assertEachHasItsOwnAge(Duration allowed) {
        CounterStore store = backend().counters();
        Counter early = counter(1);
        Counter late = counter(2);
        store.read(List.of(early.name()), allowed, commit()).join(); // which may fill a cache
        early.add(10);
        long changed = System.nanoTime();
        store.read(List.of(late.name()), allowed, commit()).join();
        for (int place = 0; place < 2; place++) {
            List<String> names = place == 0 ? List.of(early.name(), late.name()) : List.of(late.name(), early.name());
            long start = System.nanoTime();
            Reading reading =
                    store.read(names, allowed, commit()).join().get(place).orThrow();
            if (start - reading.staleness().toNanos() > changed) {
                assertThat(reading.value())
                        .as(
                                "a total that was changed more than %s ago, which is the age that the reading states,"
                                        + " in a read of two counters that were read before at different moments",
                                Durations.inWords(reading.staleness()))
                        .isEqualTo(11);
            }
        }
    }
}
