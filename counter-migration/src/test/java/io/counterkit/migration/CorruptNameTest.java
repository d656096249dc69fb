package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.CorruptDataException;
import io.counterkit.Counters;
import io.counterkit.RampUpLimiter;
import io.counterkit.Readings;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.migration.fixture.TwoStores;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One name is corrupt. The other names are not affected. */
class CorruptNameTest {
    private final TwoStores stores = new TwoStores();
    private final List<String> counters = stores.addCounters(10);
    private final String corrupt = counters.get(4);

    /** Fails every read of states that includes the corrupt name. */
    private static CounterBackend corrupt(CounterBackend backend, String name) {
        MigrationStore migration = new ForwardingMigrationStore(backend.migration()) {
            @Override
            public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
                return names.contains(name)
                        ? CompletableFuture.failedFuture(
                                new CorruptDataException("'" + name + "' holds what no version has written"))
                        : store.states(kind, names, call);
            }
        };
        return new ForwardingCounterBackend(backend) {
            @Override
            public MigrationStore migration() {
                return migration;
            }
        };
    }

    private MigratingBackend migrating() {
        return MigratingBackend.create(
                corrupt(InMemoryBackend.over(stores.source), corrupt),
                InMemoryBackend.over(stores.target),
                MigrationOptions.builder("old", "new").rollout(stores.rollout).build());
    }

    @Test
    void job_movesTheOthersAndReportsTheFailure() throws InterruptedException {
        MigrationReport report = MigrationJob.over(
                        migrating(),
                        MigrationJobOptions.builder()
                                .ramp(RampUpLimiter.unlimited())
                                .build())
                .run();

        assertThat(report.next()).isNull();
        assertThat(report.counters().moved()).isEqualTo(9);
        assertThat(report.failures()).singleElement().satisfies(failed -> {
            assertThat(failed.name()).isEqualTo(corrupt);
            assertThat(failed.reason()).contains("holds what no version has written");
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void verifier_reportsItOnce(boolean isAtTargetToo) throws InterruptedException {
        if (isAtTargetToo) {
            stores.atTarget().counter(corrupt).add(1);
        }
        VerificationReport report = MigrationVerifier.over(
                        migrating(), VerificationOptions.builder().build())
                .run();

        assertThat(report.next()).isNull();
        assertThat(report.notMoved()).isEqualTo(9);
        assertThat(report.differences()).singleElement().satisfies(difference -> {
            assertThat(difference.name()).isEqualTo(corrupt);
            assertThat(difference.what()).contains("could not be read");
        });
    }

    @Test
    void otherNamesAreReadAndListed() {
        stores.rollout.set(0);
        try (Counters migrating = Counters.over(migrating())) {
            Readings readings = migrating.readAll(counters, Duration.ZERO);

            assertThat(readings.failures()).containsOnlyKeys(corrupt);
            assertThat(readings.values()).hasSize(9);
            assertThat(readings.get(counters.get(9)).value()).isEqualTo(9);
            assertThatExceptionOfType(CorruptDataException.class)
                    .isThrownBy(() -> migrating.counter(corrupt).get());
            assertThat(migrating.counterNames(stores.prefix).names()).containsExactlyInAnyOrderElementsOf(counters);
        }
    }
}
