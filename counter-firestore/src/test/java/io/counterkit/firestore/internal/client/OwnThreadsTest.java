package io.counterkit.firestore.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Change;
import io.counterkit.CounterException;
import io.counterkit.CountersListener;
import io.counterkit.NotAppliedException;
import io.counterkit.Reading;
import io.counterkit.Tail;
import io.counterkit.Watch;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.CuttingProxy;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.FirestoreFixture.ClientRetries;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.fixture.BusyCommonPool;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Futures;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that deadlines, retries and watches do not wait for the JDK's common pool, and that close ends the threads. */
@Isolated("occupies the common pool, and counts threads")
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("try") // the close of Google's client declares Exception
class OwnThreadsTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final String name = TestStore.name();
    private final FirestoreFixture fixture = new FirestoreFixture();
    private final FirestoreCounterBackend backend = fixture.connect();
    private @Nullable BusyCommonPool busy;

    @BeforeEach
    void occupyTheCommonPool() throws InterruptedException {
        busy = new BusyCommonPool();
    }

    @AfterEach
    void close() {
        if (busy != null) {
            busy.close();
        }
        backend.close();
        fixture.close();
    }

    @Test
    void silentStore_callsEndAtTheirDeadline() {
        backend.counters()
                .add(List.of(new AddRequest(name, 1, null)), commit(LONG))
                .join();
        for (int call = 1; call <= 5; call++) {
            CallFault unused = fixture.inject(StoreFault.HOLD, 1, Status.Code.UNAVAILABLE);
        }
        Duration soon = Duration.ofMillis(300);
        Duration later = Duration.ofSeconds(3); // it is sent before, also on a busy machine
        assertThat(failureOf(backend.counters().add(List.of(new AddRequest(name, 1, null)), commit(later))))
                .as("what was sent may be applied later")
                .isNotInstanceOf(NotAppliedException.class);
        assertThat(failureOf(backend.sequences().tail(name, call(soon)))).isNotNull();
        assertThat(backend.counters()
                        .read(List.of(name), Duration.ZERO, call(soon))
                        .join()
                        .get(0)
                        .failure())
                .isInstanceOf(NotAppliedException.class);
        assertThat(failureOf(backend.counters().reset(name, commit(soon)))).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void connectionsAreReset_addsAreAppliedOnce(CuttingProxy.Cut cut) throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(FirestoreFixture.emulator().hostAndPort(), cut);
                Firestore client =
                        ClientRetries.NONE.connect(FirestoreEmulator.at(proxy.hostAndPort()), fixture.project());
                FirestoreCounterBackend through = FirestoreCounterBackend.create(client)) {
            for (int i = 0; i < 10; i++) {
                proxy.arm();
                through.counters()
                        .add(List.of(new AddRequest(name, 1, null)), commit(LONG))
                        .join();
            }
            assertThat(proxy.cuts()).isEqualTo(10);
        }
        assertThat(total()).isEqualTo(10);
    }

    @Test
    void concurrentAppends_followEachOther() {
        FirestoreCounterBackend rival = fixture.connect();
        for (int i = 0; i < 5; i++) {
            append(backend).thenCombine(append(rival), (one, other) -> one).join();
        }
        assertThat(backend.sequences().tail(name, call(LONG)).join()).isEqualTo(new Tail(10, 10, null));
        rival.close();
    }

    @Test
    void watch_showsWhatChanges() throws InterruptedException {
        BlockingQueue<Long> shown = new LinkedBlockingQueue<>();
        Watch watch = backend.counters().watch(name, Duration.ofMillis(50), new CounterStore.Sink() {
            @Override
            public Call call() {
                return OwnThreadsTest.call(LONG);
            }

            @Override
            public void reading(Reading reading) {
                shown.add(reading.value());
            }

            @Override
            public void failure(CounterException failure) {}
        });
        FirestoreCounterBackend other = fixture.connect();
        other.counters()
                .add(List.of(new AddRequest(name, 7, null)), commit(LONG))
                .join();
        while (shown.take() != 7) {
            // earlier totals
        }
        watch.close();
        other.close();
    }

    @Test
    void close_endsPendingCallsWithAnUnknownOutcome_andLeavesNoThread() {
        Set<Thread> before = ourThreads();
        FirestoreCounterBackend closing = fixture.connect();
        closing.counters()
                .add(List.of(new AddRequest(name, 1, null)), commit(LONG))
                .join();
        CallFault held = fixture.inject(StoreFault.HOLD, 1, Status.Code.UNAVAILABLE);
        CompletableFuture<?> add =
                closing.counters().add(List.of(new AddRequest(name, 1, null)), commit(Duration.ofHours(1)));
        await().until(held::isHit);
        assertThat(ourThreads()).as("a deadline is measured").isNotEqualTo(before);
        closing.close();
        assertThat(failureOf(add)).isNotInstanceOf(NotAppliedException.class);
        assertThat(failureOf(closing.counters().add(List.of(new AddRequest(name, 1, null)), commit(LONG))))
                .isInstanceOf(NotAppliedException.class);
        await().untilAsserted(() -> assertThat(ourThreads()).isSubsetOf(before));
        held.close();
    }

    private CompletableFuture<?> append(FirestoreCounterBackend to) {
        return to.sequences()
                .append(name, List.of(new AppendRequest(Change.ADDED, null, Map.of(), null)), commit(LONG));
    }

    private long total() {
        return backend.counters()
                .read(List.of(name), Duration.ZERO, call(LONG))
                .join()
                .get(0)
                .orThrow()
                .value();
    }

    /** Returns the threads of the backends' timers. */
    private static Set<Thread> ourThreads() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread -> !thread.getName().startsWith(BackendTimers.THREADS));
        return threads;
    }

    private static Throwable failureOf(CompletableFuture<?> future) {
        return Futures.unwrap(
                future.<Throwable>handle((value, failure) -> failure).join());
    }

    private static Commit commit(Duration timeout) {
        return new Commit(timeout, new SecureRandom(), CountersListener.disabled());
    }

    private static Call call(Duration timeout) {
        return new Call(timeout, CountersListener.disabled());
    }
}
