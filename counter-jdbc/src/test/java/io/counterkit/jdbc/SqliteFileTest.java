package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.CorruptDataException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** The file of SQLite: several processes, and what is wrong with it. */
class SqliteFileTest {
    private static final int PROCESSES = 2;
    private static final int ADDS = 300;
    private static final int OPENERS = 8;

    @TempDir
    Path directory;

    private static Counters open(Path file) {
        return Counters.over(
                JdbcCounterBackend.create(
                        SqliteFixture.file(file),
                        JdbcCounterOptions.builder().createTables(true).build()),
                CountersOptions.builder().deadline(Duration.ofMinutes(2)).build());
    }

    /** One of several processes: adds and appends, and ends without closing. */
    public static void main(String[] arguments) {
        Counters counters = open(Path.of(arguments[0]));
        for (int i = 0; i < ADDS; i++) {
            counters.counter("likes").increment();
            counters.sequence("orders").next();
        }
        Runtime.getRuntime().halt(0);
    }

    @Test
    void severalProcesses_writeOneFile() throws Exception {
        Path file = directory.resolve("counters.db");
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            SqliteFileTest.class.getName(),
                            file.toString())
                    .inheritIO()
                    .start());
        }
        for (Process process : processes) {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).isZero();
        }
        try (Counters counters = open(file)) {
            assertThat(counters.counter("likes").get()).isEqualTo((long) PROCESSES * ADDS);
            assertThat(counters.sequence("orders").last()).isEqualTo((long) PROCESSES * ADDS);
        }
    }

    /** SQLite does not wait if two connections change the journal of a new file. */
    @RepeatedTest(50)
    void newFileThatManyOpenAtOnce_isOpenedByAll() {
        Path file = directory.resolve("counters.db");
        CyclicBarrier start = new CyclicBarrier(OPENERS);
        ExecutorService threads = Executors.newFixedThreadPool(OPENERS);
        try {
            List<CompletableFuture<Void>> opened = new ArrayList<>();
            for (int i = 0; i < OPENERS; i++) {
                opened.add(CompletableFuture.runAsync(
                        () -> {
                            awaitAll(start);
                            open(file).close();
                        },
                        threads));
            }
            CompletableFuture.allOf(opened.toArray(CompletableFuture<?>[]::new)).join();
        } finally {
            threads.shutdown();
        }
    }

    private static void awaitAll(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void fileThatIsNoDatabase_isReportedAsDamaged() throws IOException {
        Path file = Files.writeString(directory.resolve("notes.txt"), "not a database ".repeat(500));
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> open(file))
                .withMessageStartingWith("the database file is damaged: ");
    }

    @Test
    void damagedPage_isReportedAndIsNotRead() throws IOException {
        Path file = directory.resolve("counters.db");
        try (Counters counters = open(file)) {
            List<CompletableFuture<Void>> adds = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                adds.add(counters.counter("posts/" + i + "/likes").async().add(1));
            }
            adds.forEach(CompletableFuture::join);
        }
        byte[] bytes = Files.readAllBytes(file);
        try (var out = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
            out.position(4096); // all pages but the first
            out.write(ByteBuffer.wrap(new byte[bytes.length - 4096]));
        }
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> {
                    try (Counters counters = open(file)) {
                        counters.counter("posts/0/likes").get();
                    }
                })
                .withMessageContaining("the database file is damaged: ");
    }

    /** The log beside the file has commits. A new connection would delete it, and create an empty file. */
    @Test
    void fileThatIsPutBack_hasLostNothing() throws IOException {
        Path file = directory.resolve("counters.db");
        Path away = directory.resolve("away.db");
        JdbcCounterBackend backend = JdbcCounterBackend.create(
                SqliteFixture.file(file),
                JdbcCounterOptions.builder().createTables(true).build());
        try (Counters counters = Counters.over(backend)) {
            counters.counter("likes").add(1);
            Files.move(file, away);
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(NotAppliedException.class)
                        .isThrownBy(() -> counters.counter("likes").add(1))
                        .withMessageEndingWith("put it back, or restart");
                assertThatExceptionOfType(NotAppliedException.class)
                        .isThrownBy(() -> counters.counter("likes").get())
                        .withMessageEndingWith("put it back, or restart");
                assertThatExceptionOfType(NotAppliedException.class)
                        .isThrownBy(() -> backend.transact(IdempotencyToken.random(), tx -> tx.add("likes", 1)))
                        .withMessageEndingWith("put it back, or restart");
            }
            assertThat(file).doesNotExist();
            Files.move(away, file);
            assertThat(counters.counter("likes").get()).isEqualTo(1);
        }
    }

    @Test
    void fileThatIsDeletedWhileOpen_refusesChanges() throws IOException {
        Path file = directory.resolve("counters.db");
        try (Counters counters = open(file)) {
            counters.counter("likes").add(1);
            Files.delete(file);
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> counters.counter("likes").add(1))
                    .withMessage("adding to 'likes' failed: the file " + file
                            + " was deleted or replaced while it was open: put it back, or restart");
        }
    }

    @Test
    void fileThatCanOnlyBeRead_refusesChanges() throws IOException {
        Path file = directory.resolve("counters.db");
        try (Counters counters = open(file)) {
            counters.counter("likes").add(1);
        }
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true); // the permissions of a file do not stop root
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        try (Counters counters = Counters.over(JdbcCounterBackend.create(source))) {
            assertThat(counters.counter("likes").get()).isEqualTo(1);
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> counters.counter("likes").add(1))
                    .withMessageStartingWith(
                            "adding to 'likes' failed: the file can only be read; make it, its directory and the files"
                                    + " -wal and -shm beside it writable: ");
        }
    }
}
