package io.counterkit.firestore.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.Watch;
import io.counterkit.firestore.FirestoreCounterBackend;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that a counter keeps its listener for a while after its last watch. */
class LingeringListenerTest extends CounterWatchSetup {
    private void rollUp(long total) {
        patiently().untilAsserted(() -> {
            try (Counters another = store.another()) {
                another.counter(name).read(Duration.ofNanos(1));
            }
            assertThat(store.data(store.counter(name))).containsEntry("total", total);
        });
    }

    @Test
    void watchesThatComeAndGo_shareOneListener() {
        FirestoreCounterBackend lingering = FirestoreCounterBackend.create(client);
        Counters watching = Counters.over(lingering);
        for (long total = 0; total < 5; total++) {
            Recorder recorder = new Recorder();
            Watch watch = watching.counter(name).watch(SHORT, recorder);
            recorder.awaits(total);
            awaitListening(1);
            watch.close();
            counter.add(1);
        }
        assertThat(listens.opened()).isOne();
        watching.close();
        patiently().until(() -> listens.open() == 0);
    }

    @Test
    void resetBetweenWatches_isShownToTheNextOne() {
        FirestoreCounterBackend lingering = FirestoreCounterBackend.create(client);
        Counters watching = Counters.over(lingering);
        counter.add(7);
        rollUp(7);
        Recorder first = new Recorder();
        Watch watch = watching.counter(name).watch(Duration.ofHours(1), first);
        first.awaits(7);
        awaitListening(1);
        patiently()
                .until(() -> listens.changes() > 0); // a first report after the reset would not show that there was one
        watch.close();
        int before = listens.changes();
        counter.reset();
        patiently().until(() -> listens.changes() > before);
        Recorder second = new Recorder();
        watching.counter(name).watch(Duration.ofHours(1), second);
        second.awaits(0);
        watching.close();
    }

    @Test
    void lingeringListener_makesRoomForAWatch() {
        FirestoreCounterBackend lingering = FirestoreCounterBackend.create(client);
        Counters watching = Counters.over(lingering);
        for (int i = 0; i < 41; i++) {
            Recorder recorder = new Recorder();
            Watch watch = watching.counter(name + i).watch(SHORT, recorder);
            recorder.awaits(0);
            watch.close();
        }
        patiently().until(() -> listens.opened() == 41);
        patiently().until(() -> listens.open() == 40);
        watching.close();
    }
}
