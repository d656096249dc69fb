package io.counterkit.cli.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.RampUpLimiter;
import io.counterkit.Sequence;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Migrations to the local Datastore, from another namespace of it and from memory. */
@Tag("exhaustive")
class ToDatastoreTest {
    private static final int NAMES = 12;
    private static final int ENTRIES = 30;

    private final String prefix = UUID.randomUUID() + "/";
    private final List<String> counters = names("likes/");
    private final List<String> sequences = names("orders/");
    private final InMemoryStore memory = InMemoryStore.create();

    @TempDir
    Path directory;

    private LocalDatastore datastore;

    private List<String> names(String kind) {
        return IntStream.range(0, NAMES).mapToObj(i -> prefix + kind + i).toList();
    }

    @BeforeEach
    void open() {
        datastore = LocalDatastore.open(directory.resolve("data"), Durability.WHEN_CLOSED);
    }

    @AfterEach
    void close() {
        datastore.close();
    }

    private CounterBackend namespace(String namespace) {
        return datastore.backend(
                DatastoreSequenceOptions.builder().namespace(namespace).build());
    }

    /** Returns a backend with the configuration from before the migration. */
    private CounterBackend source(String kind) {
        return kind.equals("inmemory") ? InMemoryBackend.over(memory) : namespace("from");
    }

    /** Returns a backend with the configuration of the migration. */
    private MigratingBackend migrating(String kind, int percent) {
        return MigratingBackend.create(
                source(kind),
                namespace("to"),
                MigrationOptions.builder(kind, "datastore:to")
                        .rollout(Rollout.at(percent))
                        .build());
    }

    private MigrationReport move(String kind, boolean copyEntries) throws InterruptedException {
        MigrationJobOptions options = MigrationJobOptions.builder()
                .prefix(prefix)
                .copyEntries(copyEntries)
                .ramp(RampUpLimiter.unlimited())
                .build();
        return MigrationJob.over(migrating(kind, 100), options).run();
    }

    private VerificationReport verify(String kind) throws InterruptedException {
        VerificationOptions options = VerificationOptions.builder()
                .prefix(prefix)
                .copiedEntries(true)
                .allEntries()
                .build();
        return MigrationVerifier.over(migrating(kind, 100), options).run();
    }

    @ParameterizedTest
    @ValueSource(strings = {"datastore", "inmemory"})
    void writersOfOldAndNewConfigurations_loseAndRepeatNothing(String kind) throws Exception {
        Counters before = Counters.over(source(kind));
        for (int i = 0; i < NAMES; i++) {
            before.counter(counters.get(i)).add(i);
            for (long n = 1; n <= ENTRIES; n++) {
                before.sequence(sequences.get(i)).append(Map.of("n", n));
            }
        }
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<MigrationWriter>> running = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Counters own = MigrationWriter.patient(i % 2 == 0 ? source(kind) : migrating(kind, 20));
            Counters next = MigrationWriter.patient(migrating(kind, 100));
            MigrationWriter writer = new MigrationWriter(own, next, counters, sequences, i);
            running.add(threads.submit(() -> writer.work(isOver)));
        }
        MigrationReport moved;
        try {
            moved = move(kind, true);
        } finally {
            isOver.set(true);
            threads.shutdown();
        }
        assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
        assertThat(moved.failures()).isEmpty();
        assertThat(move(kind, true).isClean()).isTrue();
        List<MigrationWriter> writers = new ArrayList<>();
        for (Future<MigrationWriter> writer : running) {
            writers.add(writer.get());
        }
        new MigrationBooks(counters, sequences, ENTRIES, writers).assertExact(Counters.over(namespace("to")));
        VerificationReport verified = verify(kind);
        assertThat(verified.differences()).isEmpty();
        assertThat(verified.counters() + verified.sequences()).isEqualTo(2 * NAMES);
        assertThat(verified.entries()).isGreaterThanOrEqualTo(NAMES * ENTRIES);
    }

    @Test
    void entriesThatAreNotCopied_areReadThroughTheMigrationAndCopiedLater() throws Exception {
        String name = sequences.get(0);
        Sequence before = Counters.over(source("inmemory")).sequence(name);
        for (long n = 1; n <= 250; n++) {
            before.append(Change.ADDED, "s" + n, Map.of("n", n));
        }
        List<Entry> entries = before.read(1, 250);
        assertThat(move("inmemory", false).isClean()).isTrue();
        Sequence now = Counters.over(migrating("inmemory", 100)).sequence(name);

        assertThat(now.append(Change.REMOVED, "s17", Map.of()).number()).isEqualTo(251);
        now.erase(40);
        assertThat(now.read(1, 250)).isEqualTo(erased(entries, 40));
        assertThat(Counters.over(namespace("to")).sequence(name).read(1, 300))
                .extracting(Entry::number)
                .containsExactly(40L, 251L);

        assertThat(move("inmemory", true).sequences().copied()).isEqualTo(249);
        assertThat(Counters.over(namespace("to")).sequence(name).read(1, 250)).isEqualTo(erased(entries, 40));
        assertThat(verify("inmemory").differences()).isEmpty();
        assertThat(now.tail().liveCount()).isEqualTo(249);
    }

    private static List<Entry> erased(List<Entry> entries, long number) {
        return entries.stream()
                .map(entry -> entry.number() == number ? entry.withoutFields() : entry)
                .toList();
    }
}
