package io.counterkit.cli.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.RampUpLimiter;
import io.counterkit.SealedException;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationJob;
import io.counterkit.migration.MigrationJobOptions;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.MigrationReport;
import io.counterkit.migration.MigrationVerifier;
import io.counterkit.migration.Rollout;
import io.counterkit.migration.VerificationOptions;
import io.counterkit.migration.VerificationReport;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.migration.fixture.FaultyConnection;
import io.counterkit.migration.fixture.FaultyConnection.Fate;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.Prerequisite;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The batch job from the local Datastore to Firestore's emulator, to which something happens at each of its store calls in
 * turn. Another process completes the move while the application continues.
 */
@Tag("exhaustive")
class CrashMatrixOnStoresTest {
    @TempDir
    Path directory;

    private LocalDatastore datastore;
    private Firestore firestore;

    @BeforeEach
    void open() {
        firestore = Prerequisite.required(FirestoreEmulator::shared).connect("demo-" + UUID.randomUUID());
        datastore = LocalDatastore.open(directory.resolve("data"), Durability.WHEN_CLOSED);
    }

    @AfterEach
    void close() throws Exception {
        datastore.close();
        firestore.close();
    }

    private MigratingBackend process(Connection connection) {
        CounterBackend source = new ConnectedBackend("source", datastore.backend(), connection);
        CounterBackend target = new ConnectedBackend("target", FirestoreCounterBackend.create(firestore), connection);
        return MigratingBackend.create(
                source,
                target,
                MigrationOptions.builder("datastore", "firestore")
                        .rollout(Rollout.at(100))
                        .build());
    }

    private MigratingBackend process() {
        return process(Connection.direct());
    }

    @ParameterizedTest
    @CsvSource({
        "KILLED_AFTER, '', 15",
        "REPLY_LOST, source, 8",
        "REPLY_LOST, target, 8",
        "NOT_APPLIED, source, 8",
        "NOT_APPLIED, target, 8"
    })
    void faultInAnyCall_losesAndRepeatsNothing(Fate fate, String side, int leastCalls) throws Exception {
        int at = 0;
        Trial trial;
        do {
            trial = new Trial(fate, side, ++at);
            trial.run();
        } while (trial.connection.hasHit());
        assertThat(at - 1).as("calls of a job").isGreaterThanOrEqualTo(leastCalls);
    }

    /** A few names of their own. */
    private final class Trial {
        private final String prefix = UUID.randomUUID() + "/";
        private final String counter = prefix + "likes";
        private final String sequence = prefix + "orders";
        private final FaultyConnection connection;
        private final Counters old = Counters.over(datastore.backend());
        private final Counters migrating = Counters.over(process());
        private int rounds;

        Trial(Fate fate, String side, int at) {
            connection = new FaultyConnection(fate, side, at, () -> {});
        }

        void run() throws Exception {
            for (int i = 0; i < 3; i++) {
                use();
            }
            connection
                    .run(() -> job(process(connection)))
                    .ifPresent(report -> assertThat(report.failures()).isEmpty());
            use();
            assertThat(job(process()).failures()).isEmpty();
            use();
            assertExact();
        }

        private MigrationReport job(MigratingBackend process) throws InterruptedException {
            MigrationJobOptions options = MigrationJobOptions.builder()
                    .prefix(prefix)
                    .copyEntries(true)
                    .ramp(RampUpLimiter.unlimited())
                    .build();
            return MigrationJob.over(process, options).run();
        }

        /** Changes the names by a process that knows only the source until a seal refuses a change. */
        private void use() {
            rounds++;
            change(at -> {
                at.counter(counter).add(rounds);
                return rounds;
            });
            long number = change(at ->
                    at.sequence(sequence).append(Map.of("n", (long) rounds)).number());
            assertThat(number).as(sequence).isEqualTo(rounds);
        }

        private long change(Function<Counters, Number> change) {
            try {
                return change.apply(old).longValue();
            } catch (SealedException e) {
                return change.apply(migrating).longValue();
            }
        }

        private void assertExact() throws InterruptedException {
            Counters target = Counters.over(FirestoreCounterBackend.create(firestore));
            assertThat(target.counter(counter).get()).isEqualTo(rounds * (rounds + 1L) / 2);
            assertThat(target.sequence(sequence).tail().last()).isEqualTo(rounds);
            assertThat(target.sequence(sequence).read(1, rounds))
                    .extracting(Entry::number, entry -> entry.fields().get("n"))
                    .isEqualTo(LongStream.rangeClosed(1, rounds)
                            .mapToObj(n -> Tuple.tuple(n, n))
                            .toList());
            VerificationOptions all = VerificationOptions.builder()
                    .prefix(prefix)
                    .copiedEntries(true)
                    .allEntries()
                    .build();
            VerificationReport verified = MigrationVerifier.over(process(), all).run();
            assertThat(verified.differences()).isEmpty();
            assertThat(verified.counters() + verified.sequences()).isEqualTo(2);
        }
    }
}
