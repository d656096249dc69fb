package io.counterkit.firestore.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Watch;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.CuttingProxy;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Watches whose connection, store or consumer fails, and their end. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class WatchOutageTest extends CounterWatchSetup {
    @Test
    void cutConnection_isReplacedAndListenedToAgain() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(FirestoreFixture.emulator().hostAndPort(), CuttingProxy.Cut.RST)) {
            Firestore cut = FirestoreEmulator.at(proxy.hostAndPort())
                    .connect(store.project(), UnaryOperator.identity(), listens);
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
    void watchWithoutAListener_getsTheOneOfAnotherWatchThatIsClosed() {
        String prefix = "many-" + UUID.randomUUID() + "-";
        List<Watch> watches = IntStream.rangeClosed(0, 40)
                .mapToObj(i -> counters.counter(prefix + i).watch(SHORT, reading -> {}))
                .toList();
        awaitListening(40);
        watches.get(0).close();
        patiently().until(() -> listens.opened() == 41);
        awaitListening(40);
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
