package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.spi.Capability;
import io.counterkit.spi.Durations;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.model.CounterHistory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Chapter 3: reading and consistency. */
public abstract class ReadingChapter extends Chapter {
    /** The largest accepted difference between the clocks of a store and of the kit, including the age of a reading. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(20);

    @Test
    @Rule(value = "3.1", lookAt = "caches, and reads from a replica")
    final void spec301_strongReadSeesEveryAcknowledgedAdd() {
        Counter counter = counter();
        for (int i = 1; i <= 30; i++) {
            (i % 2 == 0 ? counter : elsewhere(counter)).increment();
            assertTotal(counter, i);
            assertTotalElsewhere(counter, i);
        }
    }

    @Test
    @Rule(value = "3.2", lookAt = "parts of a total that are not read in one step; stale reads")
    final void spec302_strongReadsFitTheHistory() throws Exception {
        for (int round = 0; round < 3; round++) {
            Counter counter = counter();
            CounterHistory history = new CounterHistory();
            tasks().repeatWhile(
                            List.of(
                                    () -> history.read(counter::get),
                                    () -> history.read(() -> elsewhere(counter).get())),
                            () -> tasks().runAtOnce(4, thread -> {
                                Counter mine = thread % 2 == 0 ? counter : elsewhere(counter);
                                for (int i = 0; i < 13; i++) {
                                    long delta = 1L << (4 * i + thread);
                                    history.add(delta, () -> mine.add(delta));
                                }
                            }));
            history.read(counter::get);
            history.check();
        }
    }

    @Test
    @Rule(value = "3.3", lookAt = "a read that sees part of an add, such as an add that is written in two steps")
    final void spec303_readReturnsOnlyTotals() throws Exception {
        Counter counter = counter();
        tasks().repeatWhile(
                        List.of(() -> {
                            assertSumOfWholeAdds(counter.get());
                            assertSumOfWholeAdds(
                                    counter.read(Duration.ofMinutes(1)).value());
                            for (Duration allowed : List.of(Duration.ZERO, Duration.ofMinutes(1))) {
                                there().readAll(List.of(counter.name()), allowed)
                                        .values()
                                        .values()
                                        .forEach(ReadingChapter::assertSumOfWholeAdds);
                            }
                            if (declares(Capability.TOP)) {
                                there().top(counter.name(), 1)
                                        .forEach(named -> assertSumOfWholeAdds(
                                                named.reading().value()));
                            }
                        }),
                        () -> tasks().runAtOnce(4, thread -> {
                            for (int i = 0; i < 40; i++) {
                                elsewhere(counter).add(1_000_003);
                            }
                        }));
        assertTotal(counter, 160 * 1_000_003L);
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
            assertIsRecent(reading);
            long then = start - reading.staleness().toNanos();
            assertThat(reading.value())
                    .as("a total whose age is %s, as the reading states", Durations.inWords(reading.staleness()))
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
        assertNotOlderThanStated(counter, allowed, 25, counter::reset);
        elsewhere(counter).add(7);
        assertNotOlderThanStated(counter, allowed, 7, counter::delete);
    }

    /** Checks that reads return 0 after the counter was cleared, or state an age that reaches back before that. */
    private void assertNotOlderThanStated(Counter counter, Duration allowed, long total, Runnable clearing) {
        assertTotalElsewhere(counter, total);
        elsewhere(counter).read(allowed);
        clearing.run();
        long cleared = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            long start = System.nanoTime();
            Reading reading = elsewhere(counter).read(allowed);
            if (start - reading.staleness().toNanos() > cleared) {
                assertThat(reading.value())
                        .as(
                                "a total that was cleared more than %s ago, which is the age that the reading states",
                                Durations.inWords(reading.staleness()))
                        .isZero();
            }
        }
        assertThat(elsewhere(counter).read(Duration.ofNanos(1)).value())
                .as("a read with the shortest staleness bound, after the counter was cleared")
                .isZero();
    }

    static void assertIsRecent(Reading reading) {
        assertThat(reading.asOf())
                .as("the moment of a reading, by the clock of the store")
                .isBetween(Instant.now().minus(CLOCK_DIFFERENCE), Instant.now().plus(CLOCK_DIFFERENCE));
    }

    @Test
    @Rule(value = "3.5", lookAt = "whether a read with zero staleness uses a cache; arithmetic with the bound")
    final void spec305_zeroStalenessIsStrong() {
        Counter counter = counter();
        for (int i = 1; i <= 20; i++) {
            counter.increment();
            assertThat(elsewhere(counter).read(Duration.ofMinutes(10)).value()).isLessThanOrEqualTo(i);
            Reading strong = elsewhere(counter).read(Duration.ZERO);
            assertThat(strong.value()).as("the total").isEqualTo(i);
            assertThat(strong.staleness()).isZero();
        }
        for (Counter each : List.of(counter, counter())) {
            Readings readings = there().readAll(List.of(name(), each.name()), Duration.ZERO);
            for (Reading strong : List.of(each.read(Duration.ZERO), readings.get(each.name()))) {
                assertThat(strong.staleness()).isZero();
                assertIsRecent(strong);
                await("a strong read of the unchanged total that states a later moment")
                        .pollInSameThread()
                        .until(() -> each.read(Duration.ZERO).asOf().isAfter(strong.asOf()));
            }
        }
        for (Duration any : List.of(Duration.ofDays(365_000), ChronoUnit.FOREVER.getDuration())) {
            assertThat(elsewhere(counter).read(any).value()).isBetween(0L, 20L);
            assertThat(there().readAll(List.of(counter.name()), any)
                            .get(counter.name())
                            .value())
                    .as("a total of any age")
                    .isBetween(0L, 20L);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> counter.read(Duration.ofMillis(-1)))
                .withMessageContaining("-1 ms");
    }

    private static void assertSumOfWholeAdds(long total) {
        assertThat(total % 1_000_003)
                .as("the remainder of the total %s divided by 1000003, which each add adds", total)
                .isZero();
    }
}
