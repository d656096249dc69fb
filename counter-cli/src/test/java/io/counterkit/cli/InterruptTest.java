package io.counterkit.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class InterruptTest {
    /** Every add waits for this. */
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    private final CountDownLatch arrived = new CountDownLatch(3);

    private final AlteredBackend held = new AlteredBackend() {
        @Override
        protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
            arrived.countDown();
            return released.thenCompose(now -> super.add(request, commit));
        }
    };

    @Test
    void ingestThatWaitsForInput_finishesWhatItHasAccepted() throws Exception {
        Interrupt interrupt = new Interrupt();
        try (PipedInputStream input = new PipedInputStream();
                PipedOutputStream lines = new PipedOutputStream(input)) {
            CompletableFuture<CommandRun> run = CompletableFuture.supplyAsync(
                    () -> CommandRun.on(Backends.of(new TestBackend(held)), input, interrupt, "ingest"));
            lines.write("a\nb\nc\nd without an end".getBytes(UTF_8));
            lines.flush();
            arrived.await();

            interrupt.request();
            released.complete(null);

            assertThat(run.join().exitCode()).isEqualTo(130);
            assertThat(run.join().out())
                    .contains("3 lines")
                    .contains("3 adds to 3 names")
                    .contains("exact: 3 of 3");
            assertThat(run.join().errLines())
                    .last()
                    .isEqualTo("counter: interrupted after line 3: all lines up to it were read and sent");
        }
    }

    @Test
    void soak_checksWhatWasDone() {
        Interrupt interrupt = new Interrupt();
        CompletableFuture<CommandRun> run = CompletableFuture.supplyAsync(() -> CommandRun.on(
                Backends.of(new TestBackend(new AlteredBackend() {
                    @Override
                    protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
                        interrupt.request();
                        return super.add(request, commit);
                    }
                })),
                System.in,
                interrupt,
                "soak",
                "--duration=1h"));

        assertThat(run.join().exitCode()).isEqualTo(130);
        assertThat(run.join().out()).contains("exact: 55 of 55");
    }

    /** Sends real signals to a process whose adds get no answer. */
    @Test
    void secondInterrupt_endsAtOnce() throws Exception {
        Process process = start(SilentStore.class, "ingest", "--in-flight=2");
        process.getOutputStream().write("a\nb\nc\n".getBytes(UTF_8)); // the input stays open
        process.getOutputStream().flush();
        try (BufferedReader err = process.errorReader(UTF_8)) {
            StringBuilder shown = new StringBuilder();
            while (shown.indexOf("3 lines") < 0) {
                shown.append((char) err.read());
            }
            JavaCommand.interrupt(process);
            while (shown.indexOf("again to end at once") < 0) {
                shown.append((char) err.read());
            }
            assertThat(shown).contains("interrupted: finishing 3 adds in flight; press Ctrl-C");

            await().atMost(Duration.ofMinutes(1)).until(() -> {
                JavaCommand.interrupt(process); // signals in quick succession arrive as one
                return !process.isAlive();
            });
            assertThat(process.exitValue()).isEqualTo(130);
            assertThat(err.lines()).last().asString().contains("ended at once, without finishing 3 adds");
        }
    }

    /** An interrupted watch closes the directory, so the next command misses nothing. */
    @Test
    void watchThatIsInterrupted_leavesNoWarning(@TempDir Path data) throws Exception {
        Process process = start(Main.class, "watch", "a", "--backend=datastore", "--data=" + data);
        try (BufferedReader out = process.inputReader(UTF_8)) {
            assertThat(out.readLine()).contains("at most");
            JavaCommand.assertInterruptible(process);
        }

        CommandRun next = CommandRun.of("get", "a", "--backend=datastore", "--data=" + data);
        assertThat(next.exitCode()).isZero();
        assertThat(next.err()).isEmpty();
    }

    private static Process start(Class<?> main, String... args) throws IOException {
        return new ProcessBuilder(JavaCommand.of(main, List.of("-Dcounter.columns=80"), args)).start();
    }

    /** Sends the real signal to another process. */
    @Test
    void processThatIsInterrupted_finishesItsAddsAndExitsWith130() throws IOException, InterruptedException {
        Process process = start(Main.class, "ingest");
        process.getOutputStream().write("a\nb\na\n".getBytes(UTF_8));
        process.getOutputStream().flush();
        try (BufferedReader err = process.errorReader(UTF_8);
                BufferedReader out = process.inputReader(UTF_8)) {
            StringBuilder shown = new StringBuilder();
            while (shown.indexOf("3 lines") < 0) {
                shown.append((char) err.read());
            }
            JavaCommand.assertInterruptible(process);
            assertThat(out.lines()).contains("exact: 2 of 2 totals equal what was added");
            assertThat(err.lines()).last().asString().contains("interrupted after line 3");
        }
    }
}
