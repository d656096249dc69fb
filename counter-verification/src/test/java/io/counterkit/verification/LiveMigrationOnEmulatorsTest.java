package io.counterkit.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.NoCredentials;
import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.DatastoreOptions;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.RampUpLimiter;
import io.counterkit.datastore.cloud.DatastoreCounterBackend;
import io.counterkit.datastore.fixture.DatastoreEmulator;
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
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.tck.Prerequisite;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Counters and sequences move from the Datastore's emulator to Firestore's, over HTTP and gRPC, while eight writers
 * run, half of them configured with the source only: a thousand names with 20,000 entries, or the number of names in
 * {@code -Dcounterkit.migration.names}, at least 16.
 */
@Tag("nightly")
class LiveMigrationOnEmulatorsTest {
    private static final System.Logger LOG = System.getLogger(LiveMigrationOnEmulatorsTest.class.getName());
    /** The number of counters, and of sequences. */
    private static final int NAMES = Integer.getInteger("counterkit.migration.names", 1000) / 2;

    private static final int ENTRIES = 40;
    private static final int RUN = 20;
    private static final int WRITERS = 8;

    private final String prefix = UUID.randomUUID() + "/";
    private final Rollout rollout = Rollout.at(0);
    private final List<String> counters =
            IntStream.range(0, NAMES).mapToObj(i -> prefix + "likes/" + i).toList();
    private final List<String> sequences =
            IntStream.range(0, NAMES).mapToObj(i -> prefix + "orders/" + i).toList();
    private long lap = System.nanoTime();

    private @Nullable Datastore datastore;

    private DatastoreCounterBackend source() {
        return DatastoreCounterBackend.create(Objects.requireNonNull(datastore));
    }

    private MigratingBackend migrating(Firestore firestore) {
        MigrationOptions options = MigrationOptions.builder("datastore", "firestore")
                .rollout(rollout)
                .build();
        return MigratingBackend.create(source(), FirestoreCounterBackend.create(firestore), options);
    }

    @Test
    void writersOfOldAndNewConfigurations_loseAndRepeatNothing() throws Exception {
        try (DatastoreEmulator emulator =
                Prerequisite.required(() -> DatastoreEmulator.start("--testing", "--consistency=0.5"))) {
            datastore = DatastoreOptions.newBuilder()
                    .setProjectId("demo-counterkit")
                    .setHost("http://" + emulator.hostAndPort())
                    .setCredentials(NoCredentials.getInstance())
                    .build()
                    .getService();
            Firestore firestore =
                    Prerequisite.required(FirestoreEmulator::shared).connect("demo-" + UUID.randomUUID());
            try {
                moveExactly(firestore);
            } finally {
                firestore.close();
            }
        }
    }

    private void moveExactly(Firestore firestore) throws Exception {
        fill();
        printLap("filled");
        List<MigrationWriter> writers = moveUnderLoad(firestore);
        printLap("moved");
        moveTheRest(firestore);
        printLap("moved the rest");
        MigrationBooks books = new MigrationBooks(counters, sequences, ENTRIES, writers);
        for (int i = 0; i < NAMES; i++) {
            books.assertExact(i, MigrationWriter.patient(migrating(firestore)));
        }
        printLap("read");
        VerificationReport verified = verify(firestore);
        assertThat(verified.differences()).isEmpty();
        assertThat(verified.counters() + verified.sequences()).isEqualTo(2L * NAMES);
        assertThat(verified.entries()).isGreaterThanOrEqualTo((long) NAMES * ENTRIES);
        printLap("verified");
        assertCorruptionIsFound(firestore);
    }

    private void printLap(String what) {
        long now = System.nanoTime();
        LOG.log(System.Logger.Level.INFO, "{0} names: {1} in {2} s", 2 * NAMES, what, (now - lap) / 1_000_000_000);
        lap = now;
    }

    /** Uses several threads, since each call waits for the emulator. */
    private void fill() throws Exception {
        onThreads(WRITERS, thread -> {
            Counters before = MigrationWriter.patient(source());
            for (int i = thread; i < NAMES; i += WRITERS) {
                before.counter(counters.get(i)).add(i);
                for (int from = 1; from <= ENTRIES; from += RUN) {
                    append(sequences.get(i), from);
                }
            }
            return null;
        });
    }

    private void append(String sequence, int from) {
        List<AppendRequest> run = IntStream.range(from, from + RUN)
                .mapToObj(n -> new AppendRequest(Change.ADDED, null, Map.of("n", (long) n, "of", sequence), null))
                .toList();
        Commit commit = new Commit(Duration.ofMinutes(10), new SecureRandom(), CountersListener.disabled());
        assertThat(source().sequences().append(sequence, run, commit).join())
                .allSatisfy(result -> assertThat(result.isApplied()).isTrue());
    }

    private interface Numbered<T> {
        T run(int thread) throws Exception;
    }

    private static <T> List<T> onThreads(int count, Numbered<T> task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> each : threads.invokeAll(IntStream.range(0, count)
                    .mapToObj(i -> (Callable<T>) () -> task.run(i))
                    .toList())) {
                results.add(each.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    /** The last thread runs the job, and the others write until it ends. */
    private List<MigrationWriter> moveUnderLoad(Firestore firestore) throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        List<MigrationWriter> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Counters own = MigrationWriter.patient(i % 2 == 0 ? source() : migrating(firestore));
            writers.add(
                    new MigrationWriter(own, MigrationWriter.patient(migrating(firestore)), counters, sequences, i));
        }
        rollout.set(20); // some names move when they are used
        onThreads(WRITERS + 1, thread -> {
            if (thread < WRITERS) {
                return writers.get(thread).work(isOver);
            }
            try {
                rollout.set(100);
                assertThat(move(firestore).failures()).isEmpty();
            } finally {
                isOver.set(true);
            }
            return null;
        });
        assertThat(writers.stream().mapToLong(MigrationWriter::refused).sum())
                .as("changes of old configurations that met a seal")
                .isPositive();
        return writers;
    }

    /** Moves names that the lists of an eventually consistent store may have lacked. */
    private void moveTheRest(Firestore firestore) throws InterruptedException {
        MigrationReport report = move(firestore);
        assertThat(report.failures()).isEmpty();
        assertThat(report.counters().alreadyMoved() + report.counters().moved()).isEqualTo(NAMES);
        assertThat(report.sequences().alreadyMoved() + report.sequences().moved())
                .isEqualTo(NAMES);
    }

    private MigrationReport move(Firestore firestore) throws InterruptedException {
        MigrationJobOptions options = MigrationJobOptions.builder()
                .prefix(prefix)
                .copyEntries(true)
                .ramp(RampUpLimiter.unlimited())
                .deadline(Duration.ofMinutes(2))
                .build();
        return MigrationJob.over(migrating(firestore), options).run();
    }

    private VerificationReport verify(Firestore firestore) throws InterruptedException {
        VerificationOptions options = VerificationOptions.builder()
                .prefix(prefix)
                .copiedEntries(true)
                .allEntries()
                .deadline(Duration.ofMinutes(2))
                .build();
        return MigrationVerifier.over(migrating(firestore), options).run();
    }

    /** Changes one field of one entry of one sequence. */
    private void assertCorruptionIsFound(Firestore firestore) throws Exception {
        QueryDocumentSnapshot entry = firestore
                .collectionGroup("entries")
                .whereEqualTo("fields.of", sequences.get(7))
                .get()
                .get()
                .getDocuments()
                .stream()
                .filter(document -> Long.valueOf(13).equals(document.get("fields.n")))
                .findFirst()
                .orElseThrow();
        entry.getReference().update("fields.n", 14L).get();

        assertThat(verify(firestore).differences()).singleElement().satisfies(difference -> {
            assertThat(difference.name()).isEqualTo(sequences.get(7));
            assertThat(difference.what()).isEqualTo("entry 13 differs in the fields");
        });
    }
}
