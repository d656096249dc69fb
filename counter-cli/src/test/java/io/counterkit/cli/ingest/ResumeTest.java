package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counters;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.cli.AlteredBackend;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.JavaCommand;
import io.counterkit.cli.TestBackend;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ingest --resume}: a run that did not finish is resumed, and counts each line once. */
class ResumeTest {
    /** Two parts and a half. */
    private static final int LINES = 100_000;

    private static final int NAMES = 7;

    @TempDir
    Path directory;

    private Path input;
    private final Store store = new Store();

    @BeforeEach
    void write() throws IOException {
        input = directory.resolve("events");
        Files.writeString(input, lines(0, LINES));
    }

    private static String lines(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "the name of a thing that is counted here, and that takes a hundred bytes of each line, "
                        + i % NAMES + "\t" + (i % 5 + 1))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static Map<String, Long> expected(int lines) {
        return IntStream.range(0, lines)
                .boxed()
                .collect(Collectors.groupingBy(
                        i -> "the name of a thing that is counted here, and that takes a hundred bytes of each line, "
                                + i % NAMES,
                        Collectors.summingLong(i -> i % 5 + 1)));
    }

    /** A store in memory, in whose n-th add something happens. */
    private static final class Store extends AlteredBackend {
        private final AtomicInteger adds = new AtomicInteger();
        private volatile Function<Integer, Boolean> losesReply = add -> false;

        @Override
        protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
            boolean isLost = losesReply.apply(adds.incrementAndGet());
            CompletableFuture<List<Result<Void>>> added = super.add(request, commit);
            return isLost
                    ? added.thenApply(done -> List.of(
                            Result.failed(new OutcomeUnknownException("the reply is lost", request.token(), null))))
                    : added;
        }

        Map<String, Long> totals() {
            return store.dump().counters();
        }
    }

    private CommandRun ingest(Interrupt interrupt, String... options) {
        String[] words = Stream.concat(Stream.of("ingest", input.toString()), Stream.of(options))
                .toArray(String[]::new);
        return CommandRun.on(Backends.of(new TestBackend(store)), InputStream.nullInputStream(), interrupt, words);
    }

    private CommandRun interrupted() {
        Interrupt interrupt = new Interrupt();
        store.losesReply = add -> {
            interrupt.request();
            return false;
        };
        CommandRun run = ingest(interrupt);
        store.losesReply = add -> false;
        assertThat(run.exitCode()).as(run.err()).isEqualTo(130);
        assertThat(run.err()).contains("all lines up to it were read and sent; --resume counts the rest");
        assertThat(store.totals()).isNotEmpty().isNotEqualTo(expected(LINES));
        return run;
    }

    @Test
    void interruptedRun_isContinued() {
        interrupted();

        CommandRun run = ingest(new Interrupt(), "--resume");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("lines counted before");
        assertThat(store.totals()).isEqualTo(expected(LINES));
        assertThat(ingest(new Interrupt(), "--resume").err())
                .contains("--resume: there is nothing to resume: '" + input
                        + "' was not started on this backend, or was counted to its end");
    }

    @Test
    void partThatMayHaveBeenCounted_isSentAgainUnderItsTokens() {
        store.losesReply = add -> add > NAMES + 3; // all replies are lost from the middle of the second part on
        CommandRun stopped = ingest(new Interrupt());
        assertThat(stopped.exitCode()).isEqualTo(1);
        assertThat(stopped.err())
                .contains("stopped after line ")
                .contains("the store did not apply some adds; --resume repeats what is missing and counts the rest");
        store.losesReply = add -> false;

        CommandRun run = ingest(new Interrupt(), "--resume");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(store.totals()).isEqualTo(expected(LINES));
    }

    @Test
    void inputThatHasGrown_isCountedToItsEnd() throws IOException {
        interrupted();
        Files.writeString(input, lines(LINES, LINES + 10), StandardOpenOption.APPEND);

        assertThat(ingest(new Interrupt(), "--resume").exitCode()).isZero();
        assertThat(store.totals()).isEqualTo(expected(LINES + 10));
    }

    @Test
    void inputThatEndedWithinALine_andHasGrown_isRefused() throws IOException {
        Files.writeString(input, "half a na");
        store.losesReply = add -> true;
        assertThat(ingest(new Interrupt()).exitCode()).isEqualTo(1);
        store.losesReply = add -> false;
        Files.writeString(input, "me\n", StandardOpenOption.APPEND);

        assertThat(ingest(new Interrupt(), "--resume").err())
                .contains("was counted before it was complete: count all of it again with --no-resume");
    }

    @Test
    void otherFormat_isAnotherRun() {
        interrupted();

        assertThat(ingest(new Interrupt(), "--resume", "--access-log").err())
                .contains("--resume: there is nothing to resume");
    }

    @Test
    void inputThatHasChanged_isRefused() throws IOException {
        interrupted();
        Map<String, Long> before = store.totals();
        byte[] bytes = Files.readAllBytes(input);
        bytes[12_345] ^= 1;
        Files.write(input, bytes);
        assertRefused();
        Files.write(input, lines(0, 10).getBytes(UTF_8));
        assertRefused();
        assertThat(store.totals()).isEqualTo(before);
    }

    private void assertRefused() {
        CommandRun run = ingest(new Interrupt(), "--resume");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("'" + input + "' has changed in its first ")
                .contains(" lines, which were counted: restore them, or count all of it again with --no-resume");
    }

    @Test
    void runAfterAnInterruptedOne_mustSayWhatItWants() {
        interrupted();
        CommandRun refused = ingest(new Interrupt());
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err())
                .contains("'" + input + "' up to line ")
                .contains("add --resume to count the rest, or --no-resume to count all of it again");

        store.store
                .dump()
                .counters()
                .keySet()
                .forEach(name -> Counters.over(store).counter(name).delete());
        assertThat(ingest(new Interrupt(), "--no-resume").exitCode()).isZero();
        assertThat(store.totals()).isEqualTo(expected(LINES));
    }

    @Test
    void standardInput_cannotBeContinued() {
        CommandRun run = CommandRun.on(
                Backends.of(new TestBackend(store)),
                InputStream.nullInputStream(),
                new Interrupt(),
                "ingest",
                "--resume");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--resume: only a file can be resumed");
    }

    @Test
    void killedRuns_areContinuedExactly() throws Exception {
        int lines = 4 * LINES;
        Files.writeString(input, lines(0, lines));
        Path database = directory.resolve("counts.db");
        // A relative path of a file that the first run creates.
        String file = Path.of("").toAbsolutePath().relativize(database).toString();
        String[] command = {"ingest", input.toString(), "--backend", "sqlite", "--file", file};
        long killedAt = kill(database, 0, command);
        kill(database, killedAt, append(command, "--resume"));

        CommandRun run = CommandRun.of(append(command, "--resume"));

        assertThat(run.exitCode()).as(run.err()).isZero();
        expected(lines)
                .forEach((name, total) -> assertThat(
                                CommandRun.of("get", name, "--backend", "sqlite", "--file", database.toString())
                                        .out())
                        .isEqualTo(total + "\n"));
    }

    private static String[] append(String[] words, String word) {
        return Stream.concat(Stream.of(words), Stream.of(word)).toArray(String[]::new);
    }

    /** Kills a process that runs the command when it has added more, and returns how much there is. */
    private static long kill(Path database, long before, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(JavaCommand.counter(command))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        await().atMost(Duration.ofMinutes(1)).until(() -> !process.isAlive() || total(database) > before);
        process.destroyForcibly().waitFor();
        return total(database);
    }

    private static long total(Path database) {
        if (!Files.exists(database)) {
            return 0;
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT sum(total) FROM counterkit_counters")) {
            return row.getLong(1);
        } catch (SQLException e) { // the command has not created the tables yet
            return 0;
        }
    }
}
