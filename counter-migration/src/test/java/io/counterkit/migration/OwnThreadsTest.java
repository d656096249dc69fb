package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.counterkit.NotAppliedException;
import io.counterkit.RampUpLimiter;
import io.counterkit.fixture.BusyCommonPool;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.migration.fixture.TwoStores;
import io.counterkit.spi.Call;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Pauses and deadlines of jobs and verifiers while the application keeps the JDK's common pool busy. */
@Isolated("occupies the common pool, and counts threads")
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OwnThreadsTest {
    private final TwoStores stores = new TwoStores();
    private final List<String> counters = stores.addCounters(5);
    private final Set<String> called = ConcurrentHashMap.newKeySet();
    private @Nullable BusyCommonPool busy;

    /** The answer to the first call of each kind. */
    private interface First {
        <T> CompletableFuture<T> answer();
    }

    private static final First FAILS = new First() {
        @Override
        public <T> CompletableFuture<T> answer() {
            return CompletableFuture.failedFuture(new NotAppliedException("for a moment"));
        }
    };

    private static final First IS_SILENT = new First() {
        @Override
        public <T> CompletableFuture<T> answer() {
            return new CompletableFuture<>();
        }
    };

    private MigratingBackend connect(First first) {
        Connection connection = new Connection() {
            @Override
            public <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store) {
                return called.add(what) ? first.answer() : store.get();
            }
        };
        return MigratingBackend.create(
                new ConnectedBackend("source", InMemoryBackend.over(stores.source), connection),
                InMemoryBackend.over(stores.target),
                MigrationOptions.builder("old", "new").rollout(stores.rollout).build());
    }

    @BeforeEach
    void occupyTheCommonPool() throws InterruptedException {
        busy = new BusyCommonPool();
    }

    @AfterEach
    void release() {
        if (busy != null) {
            busy.close();
        }
    }

    @Test
    void job_pausesAndTriesAgain() throws InterruptedException {
        RampUpLimiter slow = RampUpLimiter.of(20, 1, Duration.ofMinutes(5), System::nanoTime);

        MigrationReport report = MigrationJob.over(
                        connect(FAILS), MigrationJobOptions.builder().ramp(slow).build())
                .run();

        assertThat(report.isClean()).isTrue();
        assertThat(report.counters().moved()).isEqualTo(counters.size());
    }

    @Test
    void verifier_doesNotWaitForASilentStore() throws InterruptedException {
        VerificationOptions impatient =
                VerificationOptions.builder().deadline(Duration.ofMillis(200)).build();

        VerificationReport report =
                MigrationVerifier.over(connect(IS_SILENT), impatient).run();

        assertThat(report.notMoved()).isEqualTo(counters.size());
    }

    @Test
    void closeOfTheBackend_endsAJobThatPausesAndItsThreads() throws InterruptedException {
        MigratingBackend backend = connect(FAILS);
        MigrationJobOptions closing = MigrationJobOptions.builder()
                .ramp(RampUpLimiter.of(1e-3, 1, Duration.ofMinutes(5), System::nanoTime))
                .listener(report -> backend.close())
                .build();

        MigrationJob job = MigrationJob.over(backend, closing);

        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(job::run)
                .withMessageContaining("closed");
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("counterkit-migration")));
    }
}
