package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.Watch;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Limits;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.model.Overflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Chapter 3, continued: watches of several counters, and changes of every kind. */
public abstract class WatchedNamesChapter extends MigrationChapter {
    private static final Duration CADENCE = Duration.ofMillis(20);

    /** The age of the oldest reading that a watch may report. */
    private static final Duration OLDEST = Duration.ofSeconds(15);

    /** More watches than a process may have at the same time. */
    private static final int CLOSED = 60;

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    /** More totals than a watch usually has in its queue. */
    private static final int MANY = 150;

    private static final int FEW = 20;
    private static final String LONG = "/" + "x".repeat(300);

    /** Names that differ in one respect from the first one. */
    private static final List<String> ENDINGS =
            List.of("/a", "/A", "/a ", "/a/b", "/ab", "/%", "/_", "/\u00e9", "/e\u0301", LONG + "a", LONG + "b");

    @Test
    @Rule(
            value = "3.9",
            lookAt = "what a watch reports: changes by other processes, a reset, a deletion, the last of many changes")
    final void spec309_watchReportsTheTotalAndThenChanges() {
        Counter counter = counter();
        Counter watched = connect().counter(counter.name());
        for (Duration cadence : List.of(
                Duration.ZERO, Duration.ofNanos(999_999), Duration.ofDays(1).plusNanos(1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> watched.watch(cadence, reading -> {}))
                    .withMessageContaining(Durations.inWords(cadence));
        }
        ReportedReadings shown = new ReportedReadings();
        watched.watch(CADENCE, shown);
        shown.await(0);
        counter.add(5, IdempotencyToken.random());
        shown.await(5);
        elsewhere(counter).add(2);
        shown.await(7);
        watched.add(3);
        shown.await(10);
        counter.reset();
        shown.await(0);
        for (int i = 0; i < 30; i++) {
            (i % 2 == 0 ? counter : elsewhere(counter)).add(4);
        }
        shown.await(120);
        counter.delete();
        shown.await(0);
        elsewhere(counter).increment();
        shown.await(1);
        counter.add(-4);
        shown.await(-3);
        assertThat(shown.values()).startsWith(0L, 5L, 7L, 10L, 0L);
        counter.reset();
        shown.await(0);
        counter.add(Limits.MAX_DELTA);
        shown.await(Limits.MAX_DELTA);
        elsewhere(counter).add(1);
        shown.await(Limits.MAX_DELTA + 1);
        counter.add(-Limits.MAX_DELTA);
        shown.await(1);
        counter.add(-1);
        shown.await(0);
        addAtOnce(counter.name(), -7);
        shown.await(-7);
        counter.delete();
        shown.await(0);
        assertThat(shown.readings).allSatisfy(reading -> {
            ReadingChapter.assertIsRecent(reading);
            assertThat(reading.staleness())
                    .as("the age of a reading of a watch")
                    .isBetween(Duration.ZERO, OLDEST);
        });
    }

    /** Adds to a counter, in one batch with an add to another counter if the backend accepts that. */
    private void addAtOnce(String name, long delta) {
        CounterStore counters = backend().counters();
        List<AddRequest> both = List.of(new AddRequest(name(), 1, null), new AddRequest(name, delta, null));
        Batches.add(counters, Batches.accepts(counters, both) ? both : both.subList(1, 2), this::commit);
    }

    @Test
    @Rule(
            value = "3.18",
            lookAt = "how the watches of a changed counter are found: the names that are compared; resources of the"
                    + " process that all watches share, such as a timer with the cadence of one of them; resources"
                    + " that a closed watch keeps; watches of other processes that end with a closed one")
    final void spec318_eachWatchReportsItsOwnCounter() {
        Counters watching = connect();
        String prefix = name();
        List<Counter> counters =
                ENDINGS.stream().map(ending -> here().counter(prefix + ending)).toList();
        List<ReportedReadings> shown = new ArrayList<>();
        List<Watch> watches = new ArrayList<>();
        for (Counter counter : counters) {
            ReportedReadings own = new ReportedReadings();
            shown.add(own);
            watches.add(watching.counter(counter.name()).watch(CADENCE, own));
        }
        for (int i = 0; i < counters.size(); i++) {
            shown.get(i).await(0);
            (i % 2 == 0 ? counters.get(i) : elsewhere(counters.get(i))).add(first(i));
        }
        for (int i = 0; i < counters.size(); i++) {
            shown.get(i).await(first(i));
        }
        watches.get(0).close();
        for (int i = 1; i < counters.size(); i++) {
            counters.get(i).add(1);
        }
        for (int i = 0; i < counters.size(); i++) {
            shown.get(i).await(i == 0 ? first(i) : first(i) + 1);
            assertThat(shown.get(i).values())
                    .as("the totals reported for '%s'; the other watched counters have other totals", ENDINGS.get(i))
                    .isSubsetOf(0L, first(i), first(i) + 1);
        }
        for (int i = 0; i < CLOSED; i++) {
            watching.counter(prefix + "/closed " + i)
                    .watch(CADENCE, reading -> {})
                    .close();
        }
        ReportedReadings last = new ReportedReadings();
        watching.counter(counters.get(0).name()).watch(CADENCE, last);
        last.await(first(0));
        counters.get(0).add(5);
        last.await(first(0) + 5);
        assertKeepsItsCadence(watching);
    }

    /** Checks that a watch with the shortest cadence keeps it while another one has the longest, and continues. */
    private void assertKeepsItsCadence(Counters watching) {
        Counter counter = counter(1);
        Counter watched = watching.counter(counter.name());
        ReportedReadings seldom = new ReportedReadings();
        watched.watch(LONGEST, seldom);
        seldom.await(1);
        ReportedReadings often = new ReportedReadings();
        watched.watch(SHORTEST, often);
        Counters closed = connect();
        ReportedReadings ended = new ReportedReadings();
        closed.counter(counter.name()).watch(CADENCE, ended);
        ended.await(1);
        closed.close();
        int many = size(MANY, FEW);
        for (long total = 1; total <= many; total++) {
            often.awaitSoon(total);
            elsewhere(counter).increment();
        }
        often.await(many + 1L);
    }

    private static long first(int watch) {
        return 1000L * (watch + 1);
    }

    @Test
    @Rule(
            value = "3.19",
            lookAt = "changes that a watch does not notice, such as an import; what it does with a total that is out of"
                    + " range, and with a seal")
    final void spec319_watchReportsImportsAndOverflows() {
        Counters watching = connect();
        if (declares(Capability.IMPORT)) {
            String moved = name();
            ReportedReadings shown = new ReportedReadings();
            watching.counter(moved).watch(CADENCE, shown);
            shown.await(0);
            imported(backend().migration(), Kind.COUNTER, moved, total(-7));
            shown.await(-7);
            here().counter(moved).add(1);
            shown.await(-6);
        }
        Counter counter = counter(1);
        ReportedReadings shown = new ReportedReadings();
        List<CounterException> failures = new CopyOnWriteArrayList<>();
        Watch watch = watching.counter(counter.name()).watch(CADENCE, shown, failures::add);
        shown.await(1);
        Overflow.toTheTop(counter);
        counter.add(-1);
        shown.await(Limits.MAX_TOTAL);
        counter.add(1);
        await("the failure that a watch reports when the total is out of range")
                .atMost(ConcurrentTasks.PATIENCE)
                .until(() -> failures.stream().anyMatch(CounterOverflowException.class::isInstance));
        counter.reset();
        shown.await(0);
        counter.add(3);
        shown.await(3);
        assertThat(shown.values())
                .as("the totals that the watch reported")
                .allMatch(total -> total <= Limits.MAX_TOTAL);
        if (declares(Capability.SEAL_COUNTERS)) {
            counter.seal(ELSEWHERE);
            Instant sealed = WatchChapter.latest(watch).asOf();
            await("a newer reading of a sealed counter")
                    .atMost(ConcurrentTasks.PATIENCE)
                    .until(() -> WatchChapter.latest(watch).asOf().isAfter(sealed));
            assertThat(WatchChapter.latest(watch).value()).as("the total").isEqualTo(3);
            ReportedReadings later = new ReportedReadings();
            watching.counter(counter.name()).watch(CADENCE, later);
            later.await(3);
        }
    }
}
