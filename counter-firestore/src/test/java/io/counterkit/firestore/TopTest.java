package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.google.cloud.Timestamp;
import io.counterkit.CounterOverflowException;
import io.counterkit.Counters;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.foreign.PublishedRecipe;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the largest counters under a prefix. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TopTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofMillis(20);

    /** A store in which readers write the roll-ups. */
    private final TestStore store =
            new TestStore(FirestoreCounterOptions.builder().rollupCadence(SOON).build());

    /** A store in which writers keep the roll-ups fresh. */
    private final TestStore fresh = store.onTheSameDatabase(
            FirestoreCounterOptions.builder().keepFresh("").rollupCadence(SOON).build());

    private final String prefix = TestStore.name() + "-";

    @AfterEach
    void close() {
        store.close();
        fresh.close();
    }

    private static List<Tuple> top(Counters counters, String prefix, int limit) {
        return counters.top(prefix, limit).stream()
                .map(named -> tuple(named.name(), named.reading().value()))
                .toList();
    }

    private void awaitTop(Counters counters, int limit, Tuple... expected) {
        await().untilAsserted(() -> assertThat(top(counters, prefix, limit)).containsExactly(expected));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void list_followsChanges(boolean isKeptFresh) {
        Counters counters = (isKeptFresh ? fresh : store).counters();
        Counters others = (isKeptFresh ? fresh : store).another();
        counters.counter(prefix + "a").add(3);
        counters.counter(prefix + "b").add(2);
        others.counter(prefix + "c").add(1);
        counters.counter(prefix + "negative").add(-5);
        awaitTop(
                others,
                4,
                tuple(prefix + "a", 3L),
                tuple(prefix + "b", 2L),
                tuple(prefix + "c", 1L),
                tuple(prefix + "negative", -5L));

        others.counter(prefix + "c").add(9);
        awaitTop(counters, 2, tuple(prefix + "c", 10L), tuple(prefix + "a", 3L));

        counters.counter(prefix + "c").delete();
        others.counter(prefix + "a").reset();
        awaitTop(counters, 9, tuple(prefix + "b", 2L), tuple(prefix + "a", 0L), tuple(prefix + "negative", -5L));
        others.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void equalTotals_areCutOffByName_andOtherPrefixesAreLeftOut(boolean isKeptFresh) {
        Counters counters = (isKeptFresh ? fresh : store).counters();
        String odd = prefix + "__x";
        for (String name : List.of("/b", "/d", "/a", "/c", "/%")) {
            counters.counter(odd + name).add(7);
        }
        counters.counter(prefix + "_").add(100);
        counters.counter(prefix + "__y").add(100);
        await().untilAsserted(() -> assertThat(top(counters, odd, 3))
                .containsExactly(tuple(odd + "/%", 7L), tuple(odd + "/a", 7L), tuple(odd + "/b", 7L)));
        await().untilAsserted(() -> assertThat(top(counters, prefix, 9)).hasSize(7));
    }

    @Test
    void withoutFreshRollups_includesForeignWrites() throws Exception {
        String name = prefix + "shared";
        store.backend().create(name, 10).join();
        awaitTop(store.counters(), 3, tuple(name, 0L));
        new PublishedRecipe(store.raw(), name).increment();
        awaitTop(store.counters(), 3, tuple(name, 1L));
    }

    @Test
    void withFreshRollups_isOneQueryThatStatesTheirAge() {
        fresh.counters().counter(prefix + "a").add(3);
        fresh.counters().counter(prefix + "b").add(4);
        awaitTop(fresh.counters(), 2, tuple(prefix + "b", 4L), tuple(prefix + "a", 3L));
        Counters cold = fresh.another();
        int before = fresh.faults().calls().size();

        List<NamedReading> top = cold.top(prefix, 2);

        assertThat(top).allSatisfy(named -> {
            assertThat(named.reading().staleness()).isPositive().isLessThan(HOUR);
            assertThat(store.counter(named.name())).isNotNull();
            assertThat(Timestamp.ofTimeSecondsAndNanos(named.reading().asOf().getEpochSecond(), 0)
                            .getSeconds())
                    .isEqualTo(
                            ((Timestamp) store.data(store.counter(named.name())).get("total_at")).getSeconds());
        });
        List<String> calls = fresh.faults().calls();
        assertThat(calls.subList(before, calls.size())).containsExactly("RunQuery");
        cold.close();
    }

    @Test
    void listOfAHandle_neverGoesBackInTime() {
        fresh.counters().counter(prefix + "a").add(3);
        fresh.counters().counter(prefix + "b").add(4);
        awaitTop(fresh.counters(), 2, tuple(prefix + "b", 4L), tuple(prefix + "a", 3L));
        store.counters().counter(prefix + "a").add(10); // by a process without keepFresh

        Reading strong = fresh.counters().counter(prefix + "a").read(Duration.ZERO);

        List<NamedReading> top = fresh.counters().top(prefix, 2);
        assertThat(top).extracting(NamedReading::name).containsExactly(prefix + "a", prefix + "b");
        assertThat(top.get(0).reading().value()).isEqualTo(13);
        assertThat(top.get(0).reading().asOf()).isEqualTo(strong.asOf());
    }

    @Test
    void counterWithoutRollup_isSummed_andForeignTextIsIgnored() {
        fresh.counters().counter(prefix + "a").add(3);
        fresh.counters().counter(prefix + "b").add(2);
        fresh.counters().counter(prefix + "c").add(1);
        awaitTop(fresh.counters(), 1, tuple(prefix + "a", 3L));
        awaitTop(fresh.counters(), 3, tuple(prefix + "a", 3L), tuple(prefix + "b", 2L), tuple(prefix + "c", 1L));
        TestStore.await(fresh.counter(prefix + "b").update("total", "much"));
        TestStore.await(fresh.counter(prefix + "c").update("total", 99L, "total_at", Timestamp.MAX_VALUE));
        Counters cold = fresh.another();

        assertThat(top(cold, prefix, 1))
                .as("c is listed for its false roll-up, and summed")
                .containsExactly(tuple(prefix + "c", 1L));
        assertThat(top(cold, prefix, 2)).containsExactly(tuple(prefix + "a", 3L), tuple(prefix + "c", 1L));
        cold.close();
    }

    @Test
    void totalOutsideTheRange_failsWhenSummed() {
        store.counters().counter(prefix + "a").add(1);
        TestStore.await(store.shard(prefix + "a", 0).update("count", Limits.MAX_TOTAL));
        TestStore.await(store.shard(prefix + "a", 1).update("count", Limits.MAX_TOTAL));
        assertThatExceptionOfType(CounterOverflowException.class)
                .isThrownBy(() -> store.counters().top(prefix, 1));
    }
}
