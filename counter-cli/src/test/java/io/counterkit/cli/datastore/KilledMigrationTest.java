package io.counterkit.cli.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.SealedException;
import io.counterkit.cli.Main;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.MigrationVerifier;
import io.counterkit.migration.Rollout;
import io.counterkit.migration.VerificationOptions;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import io.counterkit.tck.Prerequisite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code counter migrate} from the local Datastore, killed with SIGKILL after some names, and begun again. */
@Tag("exhaustive")
class KilledMigrationTest {
    private static final int NAMES = 8;
    private static final int ENTRIES = 4;
    private static final int KILLS = 3;

    private final List<String> counters =
            IntStream.range(0, NAMES).mapToObj(i -> "likes/" + i).toList();
    private final List<String> sequences =
            IntStream.range(0, NAMES).mapToObj(i -> "orders/" + i).toList();
    private final long[] totals = LongStream.range(0, NAMES).toArray();
    private final long seed = Long.getLong("counterkit.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final String project = "demo-" + UUID.randomUUID();

    @TempDir
    Path directory;

    private FirestoreEmulator emulator;
    private Firestore client;
    private CounterBackend target;

    @BeforeEach
    void connect() {
        emulator = Prerequisite.required(FirestoreEmulator::shared);
        client = emulator.connect(project);
        target = FirestoreCounterBackend.create(client);
    }

    @AfterEach
    void close() throws Exception {
        client.close();
    }

    private static Call call() {
        return new Call(Duration.ofMinutes(1), CountersListener.disabled());
    }

    private LocalDatastore open() {
        return LocalDatastore.open(directory.resolve("data"), Durability.WHEN_CLOSED);
    }

    private void fill() {
        try (LocalDatastore datastore = open()) {
            Counters source = Counters.over(datastore.backend());
            for (int i = 0; i < NAMES; i++) {
                source.counter(counters.get(i)).add(i);
                for (long n = 1; n <= ENTRIES; n++) {
                    source.sequence(sequences.get(i)).append(Map.of("n", n));
                }
            }
        }
    }

    private Process migrate(String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "migrate",
                "--from=datastore",
                "--data=" + directory.resolve("data"),
                "--to=firestore",
                "--emulator=" + emulator.hostAndPort(),
                "--project=" + project,
                "--copy-entries"));
        command.addAll(List.of(more));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
    }

    private long imported() {
        return Stream.concat(bases(Kind.COUNTER, counters).stream(), bases(Kind.SEQUENCE, sequences).stream())
                .filter(Optional::isPresent)
                .count();
    }

    private List<Optional<ImportedState>> bases(Kind kind, List<String> names) {
        return target.migration().bases(kind, names, call()).join();
    }

    /** Kills the process when the target has so many more names than now, unless the process ends before. */
    private void killAfter(long names, Process process) throws InterruptedException {
        try {
            long enough = imported() + names;
            while (process.isAlive() && imported() < enough) {
                process.waitFor(1 + random.nextInt(20), TimeUnit.MILLISECONDS);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void sealsOfAKilledMigration_areStored() throws Exception {
        fill();
        for (int kill = 0; kill < KILLS; kill++) {
            killAfter(1 + random.nextInt(4), migrate("--rate=20"));
            try (LocalDatastore datastore = open()) {
                assertSealed(Kind.COUNTER, counters, datastore.backend());
                assertSealed(Kind.SEQUENCE, sequences, datastore.backend());
                addWhereItIsOpen(Counters.over(datastore.backend()));
            }
        }
        assertThat(imported()).as("seed %s", seed).isPositive();

        Process last = migrate("--resume=counters::");

        assertThat(last.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(last.exitValue()).as(() -> output()).isZero();
        try (LocalDatastore datastore = open()) {
            assertMovedExactly(datastore.backend());
        }
    }

    private String output() {
        try {
            return Files.readString(directory.resolve("output"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Checks that each name that the target has imported is sealed at the source. */
    private void assertSealed(Kind kind, List<String> names, CounterBackend source) {
        List<NameState> states = source.migration().states(kind, names, call()).join();
        List<Optional<ImportedState>> bases = bases(kind, names);
        for (int i = 0; i < names.size(); i++) {
            if (bases.get(i).isPresent()) {
                assertThat(states.get(i).seal())
                        .as("seed %s: seal of '%s', which is imported", seed, names.get(i))
                        .isNotNull();
            }
        }
    }

    private void addWhereItIsOpen(Counters source) {
        for (int i = 0; i < NAMES; i++) {
            try {
                source.counter(counters.get(i)).increment();
                totals[i]++;
            } catch (SealedException e) {
                assertThat(e.seal().forward()).isEqualTo("firestore");
            }
        }
    }

    private void assertMovedExactly(CounterBackend source) throws InterruptedException {
        Counters moved = Counters.over(target);
        for (int i = 0; i < NAMES; i++) {
            assertThat(moved.counter(counters.get(i)).get()).isEqualTo(totals[i]);
            assertThat(moved.sequence(sequences.get(i)).read(1, ENTRIES))
                    .extracting(Entry::number)
                    .containsExactly(1L, 2L, 3L, 4L);
            assertThat(moved.sequence(sequences.get(i)).next()).isEqualTo(ENTRIES + 1);
        }
        MigratingBackend migrating = MigratingBackend.create(
                source,
                target,
                MigrationOptions.builder("datastore", "firestore")
                        .rollout(Rollout.at(100))
                        .build());
        VerificationOptions all =
                VerificationOptions.builder().copiedEntries(true).allEntries().build();
        assertThat(MigrationVerifier.over(migrating, all).run().differences()).isEmpty();
    }
}
