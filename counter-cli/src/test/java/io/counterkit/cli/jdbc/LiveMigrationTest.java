package io.counterkit.cli.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.cli.jdbc.Stores.Place;
import io.counterkit.cli.migrate.Move;
import io.counterkit.migration.MigrationReport;
import io.counterkit.migration.VerificationReport;
import io.counterkit.migration.fixture.MigrationBooks;
import io.counterkit.migration.fixture.MigrationWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Migrations while writers of old and new configurations are at work. */
class LiveMigrationTest {
    private static final int NAMES = 4;
    private static final int ENTRIES = 10;
    private static final int WRITERS = 4;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"INMEMORY, SQLITE", "SQLITE, INMEMORY", "POSTGRESQL, SQLITE"})
    void writersOfOldAndNewConfigurations_loseAndRepeatNothing(Place from, Place to) throws Exception {
        try (Move move = new Stores(directory).move(from, to)) {
            List<String> counters = names(move, "likes/");
            List<String> sequences = names(move, "orders/");
            fill(Counters.over(move.source()), counters, sequences);
            AtomicBoolean isOver = new AtomicBoolean();
            ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
            List<Future<MigrationWriter>> running = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Counters own = MigrationWriter.patient(i % 2 == 0 ? move.source() : move.migrating(20));
                Counters next = MigrationWriter.patient(move.migrating(100));
                MigrationWriter writer = new MigrationWriter(own, next, counters, sequences, i);
                running.add(threads.submit(() -> writer.work(isOver)));
            }
            MigrationReport moved;
            try {
                moved = move.run(move.migrating(100));
            } finally {
                isOver.set(true);
                threads.shutdown();
            }
            assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
            assertThat(moved.failures()).isEmpty();
            assertThat(move.run(move.migrating(100)).isClean()).isTrue();
            List<MigrationWriter> writers = new ArrayList<>();
            for (Future<MigrationWriter> writer : running) {
                writers.add(writer.get());
            }
            new MigrationBooks(counters, sequences, ENTRIES, writers).assertExact(Counters.over(move.target()));
            VerificationReport verified = move.verify();
            assertThat(verified.differences()).isEmpty();
            assertThat(verified.counters() + verified.sequences()).isEqualTo(2 * NAMES);
            assertThat(verified.notMoved()).isZero();
        }
    }

    @Test
    @Tag("exhaustive")
    void writersOnTheWayToTheServer_loseAndRepeatNothing() throws Exception {
        writersOfOldAndNewConfigurations_loseAndRepeatNothing(Place.SQLITE, Place.POSTGRESQL);
    }

    private static List<String> names(Move move, String kind) {
        return IntStream.range(0, NAMES).mapToObj(i -> move.prefix() + kind + i).toList();
    }

    private static void fill(Counters before, List<String> counters, List<String> sequences) {
        for (int i = 0; i < NAMES; i++) {
            before.counter(counters.get(i)).add(i);
            for (long n = 1; n <= ENTRIES; n++) {
                before.sequence(sequences.get(i)).append(Map.of("n", n));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"INMEMORY, SQLITE", "SQLITE, INMEMORY", "POSTGRESQL, SQLITE"})
    void subjectsAndErasedEntries_areTheSameAfterTheMove(Place from, Place to) throws Exception {
        try (Move move = new Stores(directory).move(from, to)) {
            String name = move.prefix() + "orders";
            Sequence before = Counters.over(move.source()).sequence(name);
            for (long n = 1; n <= 30; n++) {
                before.append(Change.ADDED, "s" + n, Map.of("n", n, "bytes", new byte[] {(byte) n}));
            }
            before.append(Change.REMOVED, "s3", Map.of());
            before.erase(7);
            List<Entry> entries = before.read(1, 31);

            assertThat(move.run(move.migrating(100)).isClean()).isTrue();

            Sequence after = Counters.over(move.target()).sequence(name);
            assertThat(after.read(1, 31))
                    .usingRecursiveFieldByFieldElementComparator()
                    .isEqualTo(entries);
            Sequence now = Counters.over(move.migrating(100)).sequence(name);
            assertThat(now.append(Change.REMOVED, "s17", Map.of()).number()).isEqualTo(32);
            assertThat(now.append(Change.ADDED, "s3", Map.of()).number()).isEqualTo(33);
            now.erase(20);
            assertThat(after.read(20, 20)).extracting(Entry::erased).containsExactly(true);
            assertThat(move.verify().differences()).isEmpty();
            assertThat(now.tail().liveCount()).isEqualTo(29);
        }
    }
}
