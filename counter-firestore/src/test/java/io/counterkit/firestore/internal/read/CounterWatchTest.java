package io.counterkit.firestore.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.Firestore;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.firestore.CallFault;
import io.counterkit.firestore.CallFaults;
import io.counterkit.firestore.CuttingProxy;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.FirestoreFixture;
import io.counterkit.firestore.HeldReplies;
import io.counterkit.firestore.Listens;
import io.counterkit.firestore.TestStore;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that watches share a listener on the counter's document, and sum only if it reports nothing in time. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CounterWatchTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    /** Longer than any test, so that no timer of a watch runs. */
    private static final Duration HOUR = Duration.ofHours(1);

    private static final String SUM = "RunAggregationQuery";

    private final TestStore store = new TestStore();
    private final String name = TestStore.name();
    private final Counter counter = store.counters().counter(name);
    private final Listens listens = new Listens();
    private final CallFaults calls = new CallFaults();
    private final Firestore client =
            FirestoreFixture.emulator().connect(FirestoreFixture.PROJECT, UnaryOperator.identity(), listens, calls);
    private final FirestoreCounterBackend backend = FirestoreCounterBackend.create(client);
    private final Counters counters = Counters.over(backend);

    @AfterEach
    void close() {
        counters.close();
        client.shutdown();
        store.close();
    }

    /** The readings and failures that a watch receives. */
    private static final class Recorder implements Consumer<Reading>, CounterStore.Sink {
        final List<Reading> readings = new CopyOnWriteArrayList<>();
        final List<CounterException> failures = new CopyOnWriteArrayList<>();

        @Override
        public Call call() {
            return new Call(Duration.ofSeconds(20), CountersListener.disabled());
        }

        @Override
        public void accept(Reading reading) {
            readings.add(reading);
        }

        @Override
        public void reading(Reading reading) {
            readings.add(reading);
        }

        @Override
        public void failure(CounterException failure) {
            failures.add(failure);
        }

        List<Long> values() {
            return readings.stream().map(Reading::value).toList();
        }

        void awaits(long total) {
            patiently()
                    .untilAsserted(() -> assertThat(readings)
                            .last()
                            .extracting(Reading::value)
                            .isEqualTo(total));
        }
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(10));
    }

    /** Starts a watch below the API layer, which would hold back readings within the cadence. */
    private Watch watch(Recorder recorder) {
        return backend.counters().watch(name, HOUR, recorder);
    }

    private long sums() {
        return calls.calls().stream().filter(SUM::equals).count();
    }

    private void awaitListening(int streams) {
        patiently().until(() -> listens.upToDate() >= streams);
    }

    /** Sums and writes a roll-up in another process. */
    private void rollUpElsewhere(long total) {
        patiently().untilAsserted(() -> {
            try (Counters another = store.another()) {
                another.counter(name).read(Duration.ofNanos(1));
            }
            assertThat(store.data(store.counter(name))).containsEntry("total", total);
        });
    }

    @Test
    void watchesOfACounter_shareOneListenerAndItsSums() {
        counter.add(5);
        List<Recorder> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Recorder recorder = new Recorder();
            all.add(recorder);
            counters.counter(name).watch(HOUR, recorder);
        }
        all.forEach(recorder -> recorder.awaits(5));
        awaitListening(1);
        assertThat(sums()).isOne();
        assertThat(listens.opened()).isOne();
        assertThat(listens.open()).isOne();
    }

    @Test
    void rollupOfAnotherProcess_isShownWithoutASum() {
        counter.add(5);
        Recorder first = new Recorder();
        Recorder second = new Recorder();
        watch(first);
        watch(second);
        first.awaits(5);
        awaitListening(1);
        patiently().until(() -> store.data(store.counter(name)).containsKey("total"));
        counter.add(2);
        rollUpElsewhere(7);
        first.awaits(7);
        second.awaits(7);
        assertThat(first.readings.get(first.readings.size() - 1).staleness()).isLessThan(HOUR);
        assertThat(sums()).as("only the first look sums").isOne();
    }

    @Test
    void addsOfAnotherProcess_areSummedWhenTheRollupIsOlderThanTheCadence() {
        Recorder recorder = new Recorder();
        counters.counter(name).watch(SHORT, recorder);
        recorder.awaits(0);
        awaitListening(1);
        for (int i = 1; i <= 5; i++) {
            counter.add(1);
            recorder.awaits(i);
        }
        assertThat(recorder.values()).isSorted();
        patiently()
                .untilAsserted(() -> assertThat(store.data(store.counter(name)))
                        .as("left for the watchers of other processes")
                        .containsEntry("total", 5L));
    }

    @Test
    void idleCounter_isReportedRepeatedly() {
        counter.add(5);
        Recorder recorder = new Recorder();
        try (Watch watch = counters.counter(name).watch(SHORT, recorder)) {
            recorder.awaits(5);
            Reading first = recorder.readings.get(0);
            patiently()
                    .untilAsserted(() -> assertThat(watch.latest())
                            .isNotNull()
                            .satisfies(latest -> assertThat(latest.asOf()).isAfter(first.asOf())));
            assertThat(recorder.values()).as("it has not changed").containsExactly(5L);
        }
    }

    @Test
    void idleCounter_isSummedAndNotWritten() {
        FirestoreCounterBackend eager = FirestoreCounterBackend.create(
                client,
                FirestoreCounterOptions.builder().rollupCadence(Duration.ZERO).build());
        counter.add(5);
        Recorder recorder = new Recorder();
        Watch watch = eager.counters().watch(name, SHORT, recorder);
        recorder.awaits(5);
        patiently().until(() -> commits() > 0);
        awaitListening(1);
        counter.add(1);
        rollUpElsewhere(6); // the listener reports this one; it may miss the one before
        patiently().until(() -> isWithoutCommit(10)); // once it has
        watch.close();
    }

    private boolean isWithoutCommit(int sums) {
        long summed = sums();
        long written = commits();
        patiently().until(() -> sums() > summed + sums);
        return commits() == written;
    }

    private long commits() {
        return calls.calls().stream().filter("Commit"::equals).count();
    }

    @Test
    void lateRollup_isNeverShown() throws Exception {
        counter.add(5);
        Recorder recorder = new Recorder();
        watch(recorder);
        recorder.awaits(5);
        awaitListening(1);
        Timestamp before = Timestamp.ofTimeSecondsAndNanos(Timestamp.now().getSeconds() - 600, 0);
        store.counter(name).update("total", 3L, "total_at", before).get();
        counter.add(1);
        rollUpElsewhere(6);
        recorder.awaits(6);
        assertThat(recorder.values()).containsOnly(5L, 6L);
        assertThat(recorder.readings).extracting(Reading::asOf).isSorted();
    }

    @Test
    void sumOvertakenByARollup_isNotShownAfterIt() {
        counter.add(5);
        HeldReplies sums = new HeldReplies(SUM);
        Firestore slow =
                FirestoreFixture.emulator().connect(FirestoreFixture.PROJECT, UnaryOperator.identity(), listens, sums);
        try {
            Recorder recorder = new Recorder();
            Watch watch = FirestoreCounterBackend.create(slow).counters().watch(name, HOUR, recorder);
            patiently().until(() -> sums.count() > 0);
            awaitListening(1);
            counter.add(2);
            rollUpElsewhere(7);
            recorder.awaits(7);
            sums.release();
            counter.add(1);
            rollUpElsewhere(8);
            recorder.awaits(8);
            watch.close();
            assertThat(recorder.values()).containsOnly(7L, 8L);
        } finally {
            slow.shutdown();
        }
    }

    @Test
    void rollupOlderThanTheCadence_isNotShownFirst() throws Exception {
        counter.add(5);
        Timestamp before = Timestamp.ofTimeSecondsAndNanos(Timestamp.now().getSeconds() - 2 * 3600, 0);
        store.counter(name).update("total", 3L, "total_at", before).get();
        Recorder recorder = new Recorder();
        watch(recorder);
        recorder.awaits(5);
        awaitListening(1);
        assertThat(recorder.values()).containsOnly(5L);
    }

    @Test
    void deleteAndReset_areShownAtOnce() {
        counter.add(5);
        Recorder recorder = new Recorder();
        watch(recorder);
        recorder.awaits(5);
        awaitListening(1);
        patiently().until(() -> store.data(store.counter(name)).containsKey("total"));
        rollUpElsewhere(5);
        awaitHeard();
        counter.delete();
        recorder.awaits(0);
        counter.add(3);
        rollUpElsewhere(3);
        recorder.awaits(3);
        counter.reset();
        recorder.awaits(0);
        assertThat(recorder.failures).isEmpty();
    }

    /** Waits until the listener reports a roll-up of another process. */
    private void awaitHeard() {
        Recorder probe = new Recorder();
        try (Watch watch = watch(probe)) {
            assertThat(watch).isNotNull();
            counter.add(1);
            rollUpElsewhere(6);
            probe.awaits(6);
        }
    }

    @Test
    void cutConnection_isReplacedAndListenedToAgain() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(FirestoreFixture.emulator().hostAndPort(), CuttingProxy.Cut.RST)) {
            Firestore cut = FirestoreEmulator.at(proxy.hostAndPort())
                    .connect(FirestoreFixture.PROJECT, UnaryOperator.identity(), listens);
            try (Counters watching = Counters.over(FirestoreCounterBackend.create(cut))) {
                Recorder recorder = new Recorder();
                watching.counter(name).watch(SHORT, recorder, recorder.failures::add);
                recorder.awaits(0);
                awaitListening(1);
                int before = listens.opened();
                for (int i = 1; i <= 3; i++) {
                    proxy.arm();
                    int cuts = i;
                    patiently().until(() -> proxy.cuts() == cuts);
                    counter.add(1);
                    recorder.awaits(i);
                }
                patiently().until(() -> listens.opened() > before && listens.open() == 1);
                assertThat(recorder.values()).isSorted();
            } finally {
                cut.shutdown();
            }
        }
    }

    @Test
    void refusedListener_isReplacedByTheTimerAndRetried() {
        listens.refuse(Status.PERMISSION_DENIED);
        Recorder recorder = new Recorder();
        counters.counter(name).watch(SHORT, recorder, recorder.failures::add);
        recorder.awaits(0);
        patiently().until(() -> listens.opened() >= 2);
        counter.add(1);
        recorder.awaits(1);
        assertThat(recorder.failures).isEmpty();
        listens.refuse(null);
        patiently().until(() -> listens.open() == 1);
        counter.add(1);
        recorder.awaits(2);
    }

    @Test
    void unreachableStore_isReported() {
        Recorder recorder = new Recorder();
        Counters impatient = Counters.over(
                backend,
                CountersOptions.builder().deadline(Duration.ofSeconds(1)).build());
        CallFault held = calls.inject(io.counterkit.tck.StoreFault.HOLD, 1);
        impatient.counter(name).watch(SHORT, recorder, recorder.failures::add);
        patiently().until(() -> !recorder.failures.isEmpty());
        held.close();
        counter.add(4);
        recorder.awaits(4);
        assertThat(recorder.failures.get(0)).hasMessageContaining(name);
        impatient.close();
    }

    @Test
    void lastWatch_endsTheListener() {
        Recorder first = new Recorder();
        Recorder second = new Recorder();
        Watch one = counters.counter(name).watch(SHORT, first);
        Watch other = counters.counter(name).watch(SHORT, second);
        first.awaits(0);
        second.awaits(0);
        awaitListening(1);
        one.close();
        counter.add(1);
        second.awaits(1);
        assertThat(listens.open()).isOne();
        other.close();
        patiently().until(() -> listens.open() == 0);
        Counters another = store.another();
        Recorder third = new Recorder();
        another.counter(name).watch(SHORT, third);
        int before = calls.calls().size();
        counter.add(1);
        third.awaits(2);
        assertThat(calls.calls().size() - before)
                .as("but for a look that was under way")
                .isLessThan(2);
        another.close();
        assertThat(first.values()).containsExactly(0L);
        assertThat(second.values()).containsExactly(0L, 1L);
        Recorder again = new Recorder();
        counters.counter(name).watch(SHORT, again);
        again.awaits(2);
        patiently().until(() -> listens.open() == 1);
    }

    @Test
    void closedBackend_endsItsListeners() {
        Recorder recorder = new Recorder();
        Watch watch = watch(recorder);
        recorder.awaits(0);
        awaitListening(1);
        backend.close();
        patiently().until(() -> listens.open() == 0);
        watch.close();
    }

    @Test
    void exceptionOfAConsumer_affectsNoOtherWatch() {
        Recorder failing = new Recorder();
        Recorder other = new Recorder();
        counters.counter(name).watch(SHORT, reading -> {
            failing.accept(reading);
            throw new IllegalStateException("a test's consumer that is wrong");
        });
        counters.counter(name).watch(SHORT, other);
        for (long i = 0; i < 3; i++) {
            failing.awaits(i);
            other.awaits(i);
            counter.add(1);
        }
    }

    @Test
    void moreCountersThanListeners_areWatched_andLeaveCallsForOthers() {
        List<Recorder> all = new ArrayList<>();
        String prefix = "many-" + UUID.randomUUID() + "-";
        for (int i = 0; i < 110; i++) {
            Recorder recorder = new Recorder();
            all.add(recorder);
            counters.counter(prefix + i).watch(Duration.ofSeconds(3), recorder);
        }
        all.forEach(recorder -> recorder.awaits(0));
        awaitListening(40);
        IntStream.range(0, 110)
                .mapToObj(i -> counters.counter(prefix + i).async().add(i + 1))
                .toList()
                .forEach(CompletableFuture::join);
        for (int i = 0; i < 110; i++) {
            all.get(i).awaits(i + 1);
        }
        assertThat(listens.opened()).isEqualTo(40);
    }

    @Test
    void clientClosedFirst_causesNoFailure() {
        Recorder recorder = new Recorder();
        Watch watch = counters.counter(name).watch(SHORT, recorder, recorder.failures::add);
        recorder.awaits(0);
        awaitListening(1);
        client.shutdown();
        patiently().until(() -> !recorder.failures.isEmpty());
        watch.close();
    }
}
