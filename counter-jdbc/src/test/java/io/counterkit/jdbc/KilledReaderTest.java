package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counters;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.NumberRange;
import io.counterkit.RangeJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Followers and range jobs whose process is killed while they work, and the next ones on the same file. */
@Tag("exhaustive")
class KilledReaderTest {
    private static final int LAST = 2_000;
    private static final int KILLED_AFTER = 700;
    private static final int PARTS = 3;

    @TempDir
    Path directory;

    private static Counters open(Path directory) {
        return Counters.over(JdbcCounterBackend.create(
                SqliteFixture.file(directory.resolve("counters.db")),
                JdbcCounterOptions.builder().createTables(true).build()));
    }

    @BeforeEach
    void fill() {
        try (Counters counters = open(directory)) {
            List<CompletableFuture<Long>> appends = IntStream.range(0, LAST)
                    .mapToObj(i -> counters.sequence("orders").async().next())
                    .toList();
            appends.forEach(CompletableFuture::join);
        }
    }

    /** A process that reads as its argument says, and halts in the middle. */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        Counters counters = open(directory);
        switch (arguments[0]) {
            case "follow" ->
                counters.sequence("orders")
                        .follow(counters.counter("mailed"), options(), entry -> write(directory, entry.number()));
            case "process" -> {
                ExecutorService executor = Executors.newFixedThreadPool(PARTS);
                job(counters).run(executor, entry -> write(directory, entry.number()));
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        Thread.currentThread().join();
    }

    private static FollowOptions options() {
        return FollowOptions.defaults().withCadence(Duration.ofMillis(5));
    }

    private static RangeJob job(Counters counters) {
        return RangeJob.of(
                counters.sequence("orders"),
                new NumberRange(1, LAST),
                PARTS,
                range -> counters.counter("export/" + range.from()));
    }

    /** Writes a number to the file of results, and halts the first process there. */
    private static synchronized void write(Path directory, long number) {
        try {
            Path results = directory.resolve("results");
            Files.writeString(results, number + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            if (Files.exists(directory.resolve("halts"))
                    && Files.readAllLines(results).size() >= KILLED_AFTER) {
                Runtime.getRuntime().halt(0);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void runAndHalt(String how) throws Exception {
        Path halts = Files.createFile(directory.resolve("halts"));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        KilledReaderTest.class.getName(),
                        how,
                        directory.toString())
                .inheritIO()
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isZero();
        Files.delete(halts);
    }

    private List<Long> results() throws IOException {
        return Files.readAllLines(directory.resolve("results")).stream()
                .map(Long::valueOf)
                .toList();
    }

    private static List<Long> all() {
        return LongStream.rangeClosed(1, LAST).boxed().toList();
    }

    @Test
    void follower_continuesAfterItsCheckpoint() throws Exception {
        runAndHalt("follow");
        assertThat(results()).isEqualTo(all().subList(0, KILLED_AFTER));
        try (Counters counters = open(directory)) {
            long stored = counters.counter("mailed").get();
            assertThat(stored).isBetween(1L, (long) KILLED_AFTER);
            try (Follower next = counters.sequence("orders")
                    .follow(counters.counter("mailed"), options(), entry -> write(directory, entry.number()))) {
                await().atMost(Duration.ofMinutes(1)).until(() -> next.position() == LAST);
            }
            assertThat(results().subList(KILLED_AFTER, results().size())).isEqualTo(all().subList((int) stored, LAST));
            assertThat(counters.counter("mailed").get()).isEqualTo(LAST);
        }
    }

    @Test
    void rangeJob_continuesEachRange() throws Exception {
        runAndHalt("process");
        assertThat(results()).hasSize(KILLED_AFTER);
        try (Counters counters = open(directory)) {
            RangeJob job = job(counters);
            long stored = job.processed();
            assertThat(stored).isBetween(KILLED_AFTER - 100L * PARTS, (long) KILLED_AFTER);
            ExecutorService executor = Executors.newFixedThreadPool(PARTS);
            job.run(executor, entry -> write(directory, entry.number()));
            executor.shutdown();
            assertThat(results()).hasSize(LAST + (int) (KILLED_AFTER - stored));
            assertThat(results().stream().distinct().toList()).containsExactlyInAnyOrderElementsOf(all());
        }
    }
}
