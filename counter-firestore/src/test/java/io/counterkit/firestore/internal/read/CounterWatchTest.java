package io.counterkit.firestore.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.HeldReplies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which totals a watch shows: sums, and roll-ups of other processes. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CounterWatchTest extends CounterWatchSetup {
    private static final String SUM = "RunAggregationQuery";

    private long sums() {
        return calls.calls().stream().filter(SUM::equals).count();
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
        Firestore slow = FirestoreFixture.emulator().connect(store.project(), UnaryOperator.identity(), listens, sums);
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
}
