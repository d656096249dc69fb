package io.counterkit.firestore.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.fixture.CallFaults;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.Listens;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A counter on the emulator, whose listeners and sums are counted. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
abstract class CounterWatchSetup {
    static final Duration SHORT = Duration.ofMillis(50);

    /** Longer than any test, so that no timer of a watch runs. */
    static final Duration HOUR = Duration.ofHours(1);

    final TestStore store = new TestStore();
    final String name = TestStore.name();
    final Counter counter = store.counters().counter(name);
    final Listens listens = new Listens();
    final CallFaults calls = new CallFaults();

    final Firestore client =
            FirestoreFixture.emulator().connect(store.project(), UnaryOperator.identity(), listens, calls);

    /** Its listeners end with their last watches. */
    final FirestoreCounterBackend backend = FirestoreCounterBackend.create(
            client,
            FirestoreCounterOptions.builder()
                    .listenerLinger(Duration.ofMillis(1))
                    .build());

    final Counters counters = Counters.over(backend);

    @AfterEach
    void close() {
        counters.close();
        client.shutdown();
        store.close();
    }

    /** The readings and failures that a watch receives. */
    static final class Recorder implements Consumer<Reading>, CounterStore.Sink {
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

    static ConditionFactory patiently() {
        return await().pollInterval(Duration.ofMillis(10));
    }

    /** Starts a watch below the API layer, which would hold back readings within the cadence. */
    Watch watch(Recorder recorder) {
        return backend.counters().watch(name, HOUR, recorder);
    }

    void awaitListening(int streams) {
        patiently().until(() -> listens.upToDate() >= streams);
    }
}
