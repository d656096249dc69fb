package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.Reading;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a roll-up is never wrong and restores nothing, whatever happens between its steps. It may be late. */
@Tag("exhaustive")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RollupRacesTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /** The calls of a roll-up: names, documents, sum, write. */
    private static final int STEPS = 4;

    /** More attempts than the back-off permits within the deadline. */
    private static final int MOST_ATTEMPTS = 500;

    private final FirestoreCounterOptions options = FirestoreCounterOptions.builder()
            .rollupCadence(Duration.ZERO)
            .deadline(Duration.ofSeconds(30))
            .build();
    private final TestStore refresher = new TestStore(options, FirestoreFixture.ClientRetries.NONE);
    private final TestStore otherProcess = refresher.onTheSameDatabase(options, FirestoreFixture.ClientRetries.NONE);

    @AfterEach
    void close() {
        refresher.close();
        otherProcess.close();
    }

    /** A change to a counter with the total 5 during its roll-up, and the total after it. */
    enum Interference {
        NOTHING(5, true, (store, name) -> {}),
        ADD(7, true, (store, name) -> store.counters().counter(name).add(2)),
        RESET(0, true, (store, name) -> store.counters().counter(name).reset()),
        RESET_AND_ADD(2, true, (store, name) -> {
            store.counters().counter(name).reset();
            store.counters().counter(name).add(2);
        }),
        DELETE(0, false, (store, name) -> store.counters().counter(name).delete()),
        DELETE_AND_ADD(3, true, (store, name) -> {
            store.counters().counter(name).delete();
            store.counters().counter(name).add(3);
        }),
        DELETE_AND_CREATE(0, true, (store, name) -> {
            store.counters().counter(name).delete();
            store.backend().create(name, 10).join();
        }),
        GROW(5, true, (store, name) -> store.backend().reshard(name, 20).join()),
        SHRINK(5, true, (store, name) -> store.backend().reshard(name, 1).join()),
        ADD_AND_REFRESH(7, true, (store, name) -> {
            store.counters().counter(name).add(2);
            assertThat(store.backend().rollUp(name).join()).isEqualTo(1);
        });

        private final long total;
        private final boolean isThere;

        @SuppressWarnings("ImmutableEnumChecker") // each is a lambda that captures nothing
        private final Act act;

        Interference(long total, boolean isThere, Act act) {
            this.total = total;
            this.isThere = isThere;
            this.act = act;
        }

        private interface Act {
            void on(TestStore store, String name);
        }
    }

    @ParameterizedTest
    @EnumSource
    void changeBetweenTwoSteps_leavesNoWrongRollup(Interference interference) {
        for (int step = 1; step <= STEPS; step++) {
            String name = counterOfFive();
            Counter mine = refresher.counters().counter(name);
            Counter theirs = otherProcess.counters().counter(name);
            assertThat(mine.get()).isEqualTo(5);
            CallFault held = refresher.faults().inject(StoreFault.HOLD, step);
            CompletableFuture<Long> refreshed = refresher.backend().rollUp(name);
            await().until(held::isHit);
            Timestamp before = storeTime();
            interference.act.on(otherProcess, name);
            Timestamp after = storeTime();
            Reading seen = theirs.read(Duration.ZERO);
            assertThat(seen.value()).isEqualTo(interference.total);
            held.close();
            refreshed.join();

            checkRollup(name, step, interference, before, after);
            Reading again = theirs.read(HOUR);
            assertThat(again.value()).as("never back").isEqualTo(interference.total);
            assertThat(again.asOf()).isAfterOrEqualTo(seen.asOf());
            for (TestStore store : List.of(refresher, otherProcess)) {
                assertThat(store.another()
                                .counter(name)
                                .read(Duration.ofNanos(1))
                                .value())
                        .isEqualTo(interference.total);
            }
            refresher.backend().rollUp(name).join();
            assertThat(rollupOf(name).exists()).isEqualTo(interference.isThere);
            if (interference.isThere) {
                assertThat(rollupOf(name).getLong("total")).isEqualTo(interference.total);
            }
        }
    }

    private void checkRollup(String name, int step, Interference interference, Timestamp before, Timestamp after) {
        DocumentSnapshot counter = rollupOf(name);
        assertThat(counter.exists()).as("step %s", step).isEqualTo(interference.isThere);
        Timestamp at = counter.getTimestamp("total_at");
        if (at == null) {
            return;
        }
        Long total = counter.getLong("total");
        if (at.compareTo(before) <= 0) {
            assertThat(total).as("before, step %s", step).isEqualTo(5);
            assertThat(counter.getCreateTime()).as("of this life").isLessThanOrEqualTo(at);
        } else if (at.compareTo(after) >= 0) {
            assertThat(total).as("after, step %s", step).isEqualTo(interference.total);
        } else {
            assertThat(total).as("between, step %s", step).isIn(5L, interference.total);
        }
    }

    /** Interrupts the process after each step; a roll-up that exists is right. */
    @ParameterizedTest
    @EnumSource(names = {"FAIL_BEFORE", "LOSE_REPLY"})
    void processThatDiesAtEachStep_leavesNoWrongRollup(StoreFault fault) {
        FirestoreCounterOptions hasty = FirestoreCounterOptions.builder()
                .rollupCadence(Duration.ZERO)
                .deadline(Duration.ofSeconds(2))
                .build();
        try (TestStore dying = refresher.onTheSameDatabase(hasty, FirestoreFixture.ClientRetries.NONE)) {
            for (int step = 1; step <= STEPS; step++) {
                String name = counterOfFive();
                List<CallFault> faults = new ArrayList<>();
                for (int later = step; later < step + MOST_ATTEMPTS; later++) {
                    faults.add(dying.faults().inject(fault, later));
                }
                boolean isDone = dying.backend()
                        .rollUp(name)
                        .handle((done, failure) -> failure == null)
                        .join();
                assertThat(isDone).as("step %s", step).isFalse();
                faults.forEach(CallFault::close);

                Object total = rollupOf(name).get("total");
                boolean isLanded = fault == StoreFault.LOSE_REPLY && step == STEPS;
                assertThat(total).as("step %s", step).isEqualTo(isLanded ? 5L : null);
                otherProcess.counters().counter(name).add(2);
                assertThat(otherProcess.counters().counter(name).read(HOUR).value())
                        .isEqualTo(isLanded ? 5 : 7);
                assertThat(otherProcess.counters().counter(name).get()).isEqualTo(7);
                otherProcess.backend().rollUp(name).join();
                assertThat(rollupOf(name).getLong("total")).isEqualTo(7);
            }
        }
    }

    /** Holds a reader's roll-up during a change, and tests that it is not written afterwards. */
    @ParameterizedTest
    @EnumSource(
            value = Interference.class,
            names = {"DELETE", "DELETE_AND_ADD", "DELETE_AND_CREATE", "ADD_AND_REFRESH", "RESET_AND_ADD"})
    void heldRollupOfAReader_isNotWritten(Interference interference) {
        String name = counterOfFive();
        CallFault held = refresher.faults().inject(StoreFault.HOLD, 3); // the document, the sum, the write
        assertThat(refresher.counters().counter(name).read(HOUR).value()).isEqualTo(5);
        await().until(held::isHit);
        Timestamp before = storeTime();
        interference.act.on(otherProcess, name);
        Timestamp after = storeTime();
        held.close();
        checkRollup(name, 3, interference, before, after);
        assertThat(otherProcess.counters().counter(name).get()).isEqualTo(interference.total);
    }

    @Test
    void concurrentRefreshes_neverReplaceALaterRollupOrReading() throws Exception {
        String name = counterOfFive();
        AtomicBoolean stop = new AtomicBoolean();
        List<CompletableFuture<Void>> work = new ArrayList<>();
        for (TestStore store : List.of(refresher, otherProcess)) {
            Counters another = store.another();
            work.add(untilStopped(stop, () -> store.backend().rollUp(name).join()));
            work.add(untilStopped(stop, () -> store.counters().counter(name).add(1)));
            work.add(untilStopped(stop, neverBack(another.counter(name))));
        }
        Instant at = Instant.MIN;
        long total = 0;
        for (int look = 0; look < 300 || total <= 5; look++) {
            DocumentSnapshot counter = rollupOf(name);
            Timestamp newAt = counter.getTimestamp("total_at");
            if (newAt != null) {
                Instant newer = newAt.toSqlTimestamp().toInstant();
                assertThat(newer).isAfterOrEqualTo(at);
                assertThat(counter.getLong("total")).isGreaterThanOrEqualTo(total);
                at = newer;
                total = counter.getLong("total");
            }
        }
        stop.set(true);
        for (CompletableFuture<Void> each : work) {
            each.get(60, TimeUnit.SECONDS);
        }
    }

    private static Runnable neverBack(Counter counter) {
        Reading[] last = {counter.read(Duration.ofMillis(5))};
        return () -> {
            Reading next = counter.read(Duration.ofMillis(5));
            assertThat(next.value()).isGreaterThanOrEqualTo(last[0].value());
            assertThat(next.asOf()).isAfterOrEqualTo(last[0].asOf());
            last[0] = next;
        };
    }

    private static CompletableFuture<Void> untilStopped(AtomicBoolean stop, Runnable work) {
        return CompletableFuture.runAsync(
                () -> {
                    while (!stop.get()) {
                        work.run();
                    }
                },
                task -> new Thread(task, "rollup-race").start());
    }

    private String counterOfFive() {
        String name = TestStore.name();
        Consumer<String> add = each -> otherProcess.counters().counter(each).add(5);
        add.accept(name);
        return name;
    }

    private DocumentSnapshot rollupOf(String name) {
        return TestStore.await(otherProcess.counter(name).get());
    }

    private Timestamp storeTime() {
        return TestStore.await(otherProcess.raw().document("counters/nothing").get())
                .getReadTime();
    }
}
