package io.counterkit.cli.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.SetOptions;
import io.counterkit.Counters;
import io.counterkit.RampUpLimiter;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
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
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Moves counters and sequences away from Firestore's emulator, and back, while old and new configurations write. */
@Tag("exhaustive")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class MoveFromFirestoreTest {
    private static final int NAMES = 8;
    private static final int ENTRIES = 2;
    private static final int WRITERS = 4;

    private final List<String> counters =
            IntStream.range(0, NAMES).mapToObj(i -> "likes/" + i).toList();
    private final List<String> sequences =
            IntStream.range(0, NAMES).mapToObj(i -> "orders/" + i).toList();
    private final List<MigrationWriter> writers = new ArrayList<>();

    @TempDir
    Path directory;

    private Firestore firestore;

    @BeforeEach
    void connect() {
        firestore = Prerequisite.required(FirestoreEmulator::shared).connect("demo-" + UUID.randomUUID());
    }

    @AfterEach
    void close() throws Exception {
        firestore.close();
    }

    private CounterBackend inFirestore() {
        return Places.inFirestore(firestore);
    }

    private CounterBackend inOtherCollections() {
        return Places.inOtherCollections(firestore);
    }

    private CounterBackend inSqlite() {
        return Places.inSqlite(directory);
    }

    private void fill() {
        Counters before = Counters.over(inFirestore());
        for (int i = 0; i < NAMES; i++) {
            before.counter(counters.get(i)).add(i);
            for (int n = 1; n <= ENTRIES; n++) {
                before.sequence(sequences.get(i)).append(Map.of("n", (long) n));
            }
        }
    }

    /** Moves all names while half of the writers know only the source until a seal refuses a change. */
    private void move(Supplier<CounterBackend> from, Supplier<CounterBackend> to, MigrationOptions options)
            throws Exception {
        Supplier<MigratingBackend> migrating = () -> MigratingBackend.create(from.get(), to.get(), options);
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        List<Future<MigrationWriter>> running = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Counters own = MigrationWriter.patient(i % 2 == 0 ? from.get() : migrating.get());
            Counters next = MigrationWriter.patient(migrating.get());
            MigrationWriter writer = new MigrationWriter(own, next, counters, sequences, i);
            running.add(threads.submit(() -> writer.work(isOver)));
        }
        MigrationJobOptions job = MigrationJobOptions.builder()
                .copyEntries(true)
                .ramp(RampUpLimiter.unlimited())
                .build();
        MigrationReport moved = MigrationJob.over(migrating.get(), job).run();
        isOver.set(true);
        threads.shutdown();
        assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
        for (Future<MigrationWriter> writer : running) {
            writers.add(writer.get());
        }
        assertThat(moved.failures()).isEmpty();
        assertThat(MigrationJob.over(migrating.get(), job).run().isClean()).isTrue();
        new MigrationBooks(counters, sequences, ENTRIES, writers).assertExact(Counters.over(migrating.get()));
        assertThat(verify(migrating.get()).differences()).isEmpty();
        assertThat(verify(migrating.get()).counters()).isEqualTo(NAMES);
    }

    private static VerificationReport verify(MigratingBackend migrating) throws InterruptedException {
        return MigrationVerifier.over(
                        migrating,
                        VerificationOptions.builder()
                                .copiedEntries(true)
                                .allEntries()
                                .build())
                .run();
    }

    private static MigrationOptions options(String from, String to) {
        return MigrationOptions.builder(from, to).rollout(Rollout.at(100)).build();
    }

    @Test
    void toOtherCollections() throws Exception {
        fill();
        move(this::inFirestore, this::inOtherCollections, options("old", "new"));
        new MigrationBooks(counters, sequences, ENTRIES, writers).assertExact(Counters.over(inOtherCollections()));
    }

    @Test
    void toALocalDatastore() throws Exception {
        fill();
        try (LocalDatastore datastore = LocalDatastore.open(directory.resolve("data"), Durability.WHEN_CLOSED)) {
            move(this::inFirestore, datastore::backend, options("firestore", "datastore"));
        }
    }

    /** Moves back after a rollout. A sealed name stays sealed, so it moves back into other collections. */
    @Test
    void toSqlite_andBackIntoOtherCollections() throws Exception {
        fill();
        move(this::inFirestore, this::inSqlite, options("firestore", "sqlite"));
        move(this::inSqlite, this::inOtherCollections, options("sqlite", "firestore-2"));
        new MigrationBooks(counters, sequences, ENTRIES, writers).assertExact(Counters.over(inOtherCollections()));
    }

    @Test
    void addOfOtherSoftwareAfterTheSeal_isFoundByTheVerification() throws Exception {
        fill();
        MigratingBackend migrating = MigratingBackend.create(inFirestore(), inSqlite(), options("firestore", "sqlite"));
        Counters.over(migrating).counter("likes/3").add(10);
        firestore
                .document("counters/likes%2F3/shards/0")
                .set(Map.of("count", FieldValue.increment(4)), SetOptions.merge())
                .get();
        assertThat(verify(migrating).differences()).singleElement().satisfies(difference -> {
            assertThat(difference.name()).isEqualTo("likes/3");
            assertThat(difference.what()).contains("added 4 to the source after the seal");
        });
        assertThat(Counters.over(migrating).counter("likes/3").get()).isEqualTo(13);
    }

    @Test
    void counterWithADamagedSeal_isReported_andTheOthersMove() throws Exception {
        fill();
        firestore
                .document("counters/likes%2F3")
                .set(Map.of("seal", Map.of("forward", "nowhere", "total", "many")), SetOptions.merge())
                .get();
        MigratingBackend migrating = MigratingBackend.create(inFirestore(), inSqlite(), options("firestore", "sqlite"));
        MigrationJobOptions job =
                MigrationJobOptions.builder().ramp(RampUpLimiter.unlimited()).build();
        MigrationReport report = MigrationJob.over(migrating, job).run();
        assertThat(report.counters().moved()).isEqualTo(NAMES - 1);
        assertThat(report.failures()).singleElement().satisfies(failed -> {
            assertThat(failed.name()).isEqualTo("likes/3");
            assertThat(failed.reason()).contains("holds no valid seal");
        });
    }
}
