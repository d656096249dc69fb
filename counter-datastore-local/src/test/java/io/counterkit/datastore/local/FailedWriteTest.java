package io.counterkit.datastore.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answers after a failed write, and during a write that hangs. */
class FailedWriteTest {
    @TempDir
    Path parent;

    private Path directory;
    private Path next;

    @BeforeEach
    void nameDirectory() {
        directory = parent.resolve("made").resolve("deep");
        next = directory.resolve("datastore.next");
    }

    private LocalDatastore open(Durability durability) {
        return LocalDatastore.open(directory, durability);
    }

    private static void assertStopped(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfAny(NotAppliedException.class, OutcomeUnknownException.class)
                .hasMessageContaining("datastore.bin")
                .hasMessageContaining("Is a directory")
                .hasMessageContaining("open it again")
                .hasMessageNotContaining("Exception");
    }

    @Test
    void storeRefusesAllCallsAfterAFailedWriteUntilItIsOpenedAgain() throws IOException {
        IdempotencyToken token = IdempotencyToken.random();
        LocalDatastore datastore = open(Durability.EACH_COMMIT);
        Counters counters = Counters.over(datastore.backend());
        counters.counter("c").add(1);
        Files.createDirectory(next);
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> counters.counter("c").add(1, token))
                .withMessageContaining("Is a directory")
                .withMessageContaining("open it again");
        Files.delete(next); // there is room again, but the memory is ahead of the disk
        assertStopped(() -> counters.counter("c").add(1, token));
        assertStopped(() -> counters.resolve(token));
        assertStopped(() -> counters.counter("c").get());
        assertStopped(() -> counters.counter("d").add(1));
        assertStopped(() -> counters.sequence("s").next());
        assertStopped(() -> counters.sequence("s").last());
        assertStopped(() -> counters.counterNames(""));
        counters.close();
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(datastore::close)
                .withMessageContaining("Is a directory");
        datastore.close();

        try (LocalDatastore again = open(Durability.EACH_COMMIT);
                Counters next = Counters.over(again.backend())) {
            assertThat(next.counter("c").get()).isEqualTo(1);
            next.counter("c").add(1, token);
            assertThat(next.counter("c").get()).isEqualTo(2);
        }
    }

    /** If a migration saw a seal that is only in memory, source and target would give out the same numbers. */
    @Test
    void sealOfAFailedWriteIsNotSeen() throws IOException {
        LocalDatastore datastore = open(Durability.EACH_COMMIT);
        Counters counters = Counters.over(datastore.backend());
        assertThat(counters.sequence("s").next()).isEqualTo(1);
        Files.createDirectory(next);
        assertThatThrownBy(() -> counters.sequence("s").seal("elsewhere")).hasMessageContaining("Is a directory");
        Files.delete(next);
        assertStopped(() -> {
            Object unused = counters.sequence("s").seal("elsewhere");
        });
        assertStopped(() -> counters.sequence("s").next());
        counters.close();
        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(datastore::close);

        try (LocalDatastore again = open(Durability.EACH_COMMIT);
                Counters next = Counters.over(again.backend())) {
            assertThat(next.sequence("s").next()).isEqualTo(2);
        }
    }

    @Test
    void closeReportsAFailedWriteAndCanBeRepeated() throws IOException {
        LocalDatastore datastore = open(Durability.WHEN_CLOSED);
        Counters counters = Counters.over(datastore.backend());
        counters.counter("c").add(5);
        counters.close();
        Files.createDirectory(next);
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(datastore::close)
                    .withMessageContaining("not written")
                    .withMessageContaining(directory.toString())
                    .withMessageContaining("Is a directory");
        }
        Files.delete(next);
        datastore.close();
        assertReopenedHolds(5);
    }

    private void assertReopenedHolds(long total) {
        try (LocalDatastore again = open(Durability.WHEN_CLOSED);
                Counters counters = Counters.over(again.backend())) {
            assertThat(again.abandonedBy()).isNull();
            assertThat(counters.counter("c").get()).isEqualTo(total);
        }
    }

    @Test
    void interruptedThreadOpensChangesAndCloses() {
        for (Durability durability : Durability.values()) {
            Thread.currentThread().interrupt();
            LocalDatastore datastore = open(durability);
            assertThat(Thread.interrupted()).isTrue();
            Counters counters = Counters.over(datastore.backend());
            counters.counter("c").add(1);
            Thread.currentThread().interrupt();
            datastore.close();
            assertThat(Thread.interrupted()).isTrue();
            counters.close();
        }
        assertReopenedHolds(2);
    }

    /** The write hangs, since it opens a pipe that nothing reads. */
    @Test
    void readWaitsForTheDiskAndEndsAtItsDeadline() throws Exception {
        LocalDatastore datastore = open(Durability.EACH_COMMIT);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Counters writer = Counters.over(datastore.backend());
                Counters reader = Counters.over(
                        datastore.backend(),
                        CountersOptions.builder()
                                .deadline(Duration.ofSeconds(2))
                                .build())) {
            assertThat(new ProcessBuilder("mkfifo", next.toString()).start().waitFor())
                    .isZero();
            IdempotencyToken token = IdempotencyToken.random();
            CompletableFuture<Void> add =
                    CompletableFuture.runAsync(() -> writer.counter("c").add(1, token), threads);
            await().atMost(Duration.ofMinutes(1)).until(FailedWriteTest::isOpening);
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> reader.counter("c").get());
            assertThatThrownBy(() -> reader.resolve(token))
                    .isInstanceOfAny(NotAppliedException.class, OutcomeUnknownException.class);
            assertThat(add).isNotDone();
            Files.newInputStream(next).close(); // the write resumes and fails
            assertThatThrownBy(add::join).hasCauseInstanceOf(OutcomeUnknownException.class);
        } finally {
            threads.shutdown();
        }
        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(datastore::close);
        try (LocalDatastore again = open(Durability.EACH_COMMIT);
                Counters counters = Counters.over(again.backend())) {
            assertThat(counters.counter("c").get()).isZero();
            assertThat(counters.resolve(IdempotencyToken.random())).isEqualTo(new Resolution.NotApplied());
        }
    }

    private static boolean isOpening() {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame -> frame.getClassName().equals("java.io.FileOutputStream")
                        && frame.getMethodName().equals("open0"));
    }
}
