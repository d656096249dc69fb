package io.counterkit.cli.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.RampUpLimiter;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationJob;
import io.counterkit.migration.MigrationJobOptions;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.MigrationReport;
import io.counterkit.migration.MigrationVerifier;
import io.counterkit.migration.Rollout;
import io.counterkit.migration.VerificationOptions;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.migration.fixture.FaultyConnection;
import io.counterkit.migration.fixture.FaultyConnection.Fate;
import io.counterkit.migration.fixture.MigrationBooks;
import io.counterkit.migration.fixture.MigrationWriter;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.Prerequisite;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that moves names away from Firestore's emulator is killed at a random point, while others write. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class KilledFromFirestoreTest {
    private static final int NAMES = 4;
    private static final int ENTRIES = 2;
    private static final int WRITERS = 3;
    private static final int KILLS = 4;

    private final List<String> counters =
            IntStream.range(0, NAMES).mapToObj(i -> "likes/" + i).toList();
    private final List<String> sequences =
            IntStream.range(0, NAMES).mapToObj(i -> "orders/" + i).toList();
    private final long seed = Long.getLong("counterkit.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final String project = "demo-" + UUID.randomUUID();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);

    @TempDir
    Path directory;

    private FirestoreEmulator emulator;
    private Firestore firestore;

    /** The target of the move. */
    enum Target {
        OTHER_COLLECTIONS,
        SQLITE;

        CounterBackend open(Firestore firestore, Path directory) {
            return this == SQLITE ? Places.inSqlite(directory) : Places.inOtherCollections(firestore);
        }

        MigratingBackend migrating(Firestore firestore, Path directory, Connection connection) {
            return MigratingBackend.create(
                    new ConnectedBackend("source", Places.inFirestore(firestore), connection),
                    new ConnectedBackend("target", open(firestore, directory), connection),
                    MigrationOptions.builder("old", "new")
                            .rollout(Rollout.at(100))
                            .build());
        }
    }

    @BeforeEach
    void connect() {
        emulator = Prerequisite.required(FirestoreEmulator::shared);
        firestore = emulator.connect(project);
    }

    @AfterEach
    void close() throws Exception {
        isOver.set(true);
        threads.shutdown();
        assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
        firestore.close();
    }

    private MigratingBackend migrating(Target to, Connection connection) {
        return to.migrating(firestore, directory, connection);
    }

    private void fill() {
        Counters before = Counters.over(Places.inFirestore(firestore));
        for (int i = 0; i < NAMES; i++) {
            before.counter(counters.get(i)).add(i);
            for (int n = 1; n <= ENTRIES; n++) {
                before.sequence(sequences.get(i)).append(Map.of("n", (long) n));
            }
        }
    }

    /** Starts writers; {@code old} of them know only the source until a seal refuses a change. */
    private List<Future<MigrationWriter>> startWriters(Target to, int old) {
        List<Future<MigrationWriter>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Counters own = MigrationWriter.patient(
                    i < old ? Places.inFirestore(firestore) : migrating(to, Connection.direct()));
            Counters next = MigrationWriter.patient(migrating(to, Connection.direct()));
            MigrationWriter writer = new MigrationWriter(own, next, counters, sequences, seed + i);
            writers.add(threads.submit(() -> writer.work(isOver)));
        }
        return writers;
    }

    private static MigrationJobOptions.Builder job() {
        return MigrationJobOptions.builder().copyEntries(true);
    }

    private static MigrationReport run(MigratingBackend migrating) throws InterruptedException {
        return MigrationJob.over(
                        migrating, job().ramp(RampUpLimiter.unlimited()).build())
                .run();
    }

    /** Completes the move while the writers write, and checks that no change was lost or applied twice. */
    private void completeAndCheck(Target to, List<Future<MigrationWriter>> running) throws Exception {
        assertThat(run(migrating(to, Connection.direct())).failures()).isEmpty();
        isOver.set(true);
        List<MigrationWriter> writers = new ArrayList<>();
        for (Future<MigrationWriter> writer : running) {
            writers.add(writer.get(2, TimeUnit.MINUTES));
        }
        assertThat(run(migrating(to, Connection.direct())).isClean()).isTrue();
        new MigrationBooks(counters, sequences, ENTRIES, writers)
                .assertExact(Counters.over(to.open(firestore, directory)));
        VerificationOptions all =
                VerificationOptions.builder().copiedEntries(true).allEntries().build();
        assertThat(MigrationVerifier.over(migrating(to, Connection.direct()), all)
                        .run()
                        .differences())
                .as("seed %s", seed)
                .isEmpty();
    }

    @Test
    @Tag("exhaustive")
    void lostAfterARandomCall_losesAndRepeatsNothing() throws Exception {
        Target to = Target.values()[random.nextInt(Target.values().length)];
        fill();
        FaultyConnection mortal = new FaultyConnection(Fate.KILLED_AFTER, "", 1 + random.nextInt(16), () -> {});
        List<Future<MigrationWriter>> writers = startWriters(to, WRITERS);
        Optional<MigrationReport> report = mortal.run(() -> run(migrating(to, mortal)));
        assertThat(report).as("seed %s: it was killed", seed).isEmpty();
        completeAndCheck(to, writers);
    }

    /** Kills the job after each of its calls in turn. */
    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource
    void lostAfterEachCall_losesAndRepeatsNothing(Target to) throws Exception {
        fill();
        List<Future<MigrationWriter>> writers = startWriters(to, WRITERS - 1);
        int at = 0;
        FaultyConnection mortal;
        do {
            FaultyConnection connection = new FaultyConnection(Fate.KILLED_AFTER, "", ++at, () -> {});
            connection
                    .run(() -> run(migrating(to, connection)))
                    .ifPresent(report -> assertThat(report.failures()).isEmpty());
            mortal = connection;
        } while (mortal.hasHit());
        assertThat(at).as("calls").isGreaterThan(10);
        completeAndCheck(to, writers);
    }

    /** A JVM that moves all names, slowly. */
    static final class Mover {
        private Mover() {}

        public static void main(String[] arguments) throws Exception {
            Firestore firestore = FirestoreEmulator.at(arguments[0]).connect(arguments[1]);
            MigratingBackend migrating =
                    Target.valueOf(arguments[2]).migrating(firestore, Path.of(arguments[3]), Connection.direct());
            RampUpLimiter slow = RampUpLimiter.unlimited().atMost(10);
            MigrationReport report =
                    MigrationJob.over(migrating, job().ramp(slow).build()).run();
            System.exit(report.failures().isEmpty() ? 0 : 1);
        }
    }

    private Process startMover(Target to) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Mover.class.getName(),
                        emulator.hostAndPort(),
                        project,
                        to.name(),
                        directory.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
    }

    private long imported(CounterBackend target) {
        Call call = new Call(Duration.ofMinutes(1), CountersListener.disabled());
        return target.migration().bases(Kind.COUNTER, counters, call).join().stream()
                .filter(Optional::isPresent)
                .count();
    }

    /** Kills processes by SIGKILL, as soon as each has moved some names, or at a random moment before. */
    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource
    void killedProcesses_loseAndRepeatNothing(Target to) throws Exception {
        fill();
        List<Future<MigrationWriter>> writers = startWriters(to, WRITERS - 1);
        CounterBackend target = to.open(firestore, directory);
        int killed = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            Process mover = startMover(to);
            try {
                long enough = imported(target) + random.nextInt(3);
                while (mover.isAlive() && imported(target) < enough) {
                    mover.waitFor(1 + random.nextInt(20), TimeUnit.MILLISECONDS);
                }
                mover.waitFor(random.nextInt(300), TimeUnit.MILLISECONDS);
            } finally {
                mover.destroyForcibly();
            }
            killed += mover.waitFor() == 128 + 9 ? 1 : 0;
        }
        assertThat(killed)
                .as("seed %s: processes killed before they had moved all", seed)
                .isPositive();
        completeAndCheck(to, writers);
    }
}
