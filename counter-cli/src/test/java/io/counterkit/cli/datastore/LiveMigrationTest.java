package io.counterkit.cli.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import io.counterkit.Counters;
import io.counterkit.RampUpLimiter;
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
import io.counterkit.migration.fixture.MigrationBooks;
import io.counterkit.migration.fixture.MigrationWriter;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.Prerequisite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.junit.jupiter.api.io.TempDir;

/**
 * A migration from the local Datastore to Firestore's emulator while writers of old and new configurations are at work.
 */
@Tag("exhaustive")
class LiveMigrationTest {
    private static final int NAMES = 100;
    private static final int ENTRIES = 20;
    private static final int WRITERS = 8;

    private final String prefix = UUID.randomUUID() + "/";
    private final Rollout rollout = Rollout.at(0);
    private final List<String> counters =
            IntStream.range(0, NAMES).mapToObj(i -> prefix + "likes/" + i).toList();
    private final List<String> sequences =
            IntStream.range(0, NAMES).mapToObj(i -> prefix + "orders/" + i).toList();
    private final List<Firestore> clients = new ArrayList<>();
    private final String project = "demo-" + UUID.randomUUID();

    @TempDir
    Path directory;

    private LocalDatastore datastore;
    private FirestoreEmulator emulator;

    @BeforeEach
    void open() {
        emulator = Prerequisite.required(FirestoreEmulator::shared);
        datastore = LocalDatastore.open(directory.resolve("data"), Durability.WHEN_CLOSED);
    }

    @AfterEach
    void close() throws Exception {
        for (Firestore client : clients) {
            client.close();
        }
        datastore.close();
    }

    /** Returns a backend with the configuration from before the migration. */
    private CounterBackend old() {
        return datastore.backend();
    }

    private Firestore firestore() {
        Firestore client = emulator.connect(project);
        clients.add(client);
        return client;
    }

    /** Returns a backend with the configuration of the migration. */
    private MigratingBackend migrating() {
        return MigratingBackend.create(
                old(),
                FirestoreCounterBackend.create(firestore()),
                MigrationOptions.builder("datastore", "firestore")
                        .rollout(rollout)
                        .build());
    }

    private void fill() {
        Counters before = Counters.over(old());
        for (int i = 0; i < NAMES; i++) {
            before.counter(counters.get(i)).add(i);
            for (int n = 1; n <= ENTRIES; n++) {
                before.sequence(sequences.get(i)).append(Map.of("n", (long) n, "of", sequences.get(i)));
            }
        }
    }

    private MigrationReport move() throws InterruptedException {
        MigrationJobOptions options = MigrationJobOptions.builder()
                .prefix(prefix)
                .copyEntries(true)
                .ramp(RampUpLimiter.unlimited())
                .build();
        return MigrationJob.over(migrating(), options).run();
    }

    private VerificationReport verify() throws InterruptedException {
        VerificationOptions options = VerificationOptions.builder()
                .prefix(prefix)
                .copiedEntries(true)
                .allEntries()
                .build();
        return MigrationVerifier.over(migrating(), options).run();
    }

    @Test
    void writersOfOldAndNewConfigurations_loseAndRepeatNothing() throws Exception {
        fill();
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        List<Future<MigrationWriter>> running = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Counters own = MigrationWriter.patient(i % 2 == 0 ? old() : migrating());
            Counters next = MigrationWriter.patient(migrating());
            MigrationWriter writer = new MigrationWriter(own, next, counters, sequences, i);
            running.add(threads.submit(() -> writer.work(isOver)));
        }
        rollout.set(20); // some names move when they are used
        rollout.set(100);
        MigrationReport moved = move();
        isOver.set(true);
        threads.shutdown();
        assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).isTrue();

        assertThat(moved.failures()).isEmpty();
        assertThat(move().isClean()).isTrue(); // copies the entries of names that writers moved behind the job
        List<MigrationWriter> writers = new ArrayList<>();
        for (Future<MigrationWriter> writer : running) {
            writers.add(writer.get());
        }
        assertThat(writers.stream().mapToLong(MigrationWriter::refused).sum())
                .as("old configurations that met a seal")
                .isPositive();
        new MigrationBooks(counters, sequences, ENTRIES, writers).assertExact(Counters.over(migrating()));
        VerificationReport verified = verify();
        assertThat(verified.differences()).isEmpty();
        assertThat(verified.counters() + verified.sequences()).isEqualTo(2 * NAMES);
        assertThat(verified.notMoved()).isZero();
        assertThat(verified.entries()).isGreaterThanOrEqualTo(NAMES * ENTRIES);
        assertCorruptionIsFound();
    }

    /** Changes one field of one entry, and checks that the verification reports it. */
    private void assertCorruptionIsFound() throws Exception {
        Firestore client = firestore();
        QueryDocumentSnapshot entry = client.collectionGroup("entries").get().get().getDocuments().stream()
                .filter(document -> sequences.get(7).equals(document.get("fields.of")))
                .filter(document -> Long.valueOf(13).equals(document.get("fields.n")))
                .findFirst()
                .orElseThrow();
        entry.getReference().update("fields.n", 14L).get();

        VerificationReport verified = verify();

        assertThat(verified.differences()).singleElement().satisfies(difference -> {
            assertThat(difference.name()).isEqualTo(sequences.get(7));
            assertThat(difference.what()).isEqualTo("entry 13 differs in the fields");
        });
    }
}
