package io.counterkit.cli.single;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.cli.AlteredBackend;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.JavaCommand;
import io.counterkit.cli.ParsedJson;
import io.counterkit.cli.TestBackend;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryBackend;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code counter watch}, which ends by itself, by Ctrl-C, or when its output is closed. */
@Timeout(300)
class WatchCommandTest {
    private final Interrupt interrupt = new Interrupt();

    /** Returns 5, then 7, and interrupts the command some reads later. */
    private final AlteredBackend changing = new AlteredBackend() {
        private final AtomicInteger reads = new AtomicInteger();

        @Override
        protected long readTotal(long total) {
            int read = reads.incrementAndGet();
            if (read == 40) {
                interrupt.request();
            }
            return read < 5 ? 5 : 7;
        }
    };

    private CommandRun run(AlteredBackend backend, String command) {
        return CommandRun.on(
                Backends.of(new TestBackend(backend)), InputStream.nullInputStream(), interrupt, command.split(" "));
    }

    @Test
    void watch_printsTheTotalAndEachChange_untilItIsInterrupted() {
        CommandRun run = run(changing, "watch likes --every 5ms");

        assertThat(run.exitCode()).isEqualTo(130);
        assertThat(run.err()).isEmpty();
        assertThat(run.outLines()).hasSize(2);
        assertThat(run.outLines().get(0)).matches(" +5  at most +\\d+ ms old");
        assertThat(run.outLines().get(1)).matches(" +7  at most +\\d+ ms old");
    }

    @Test
    void watch_json_isALineForEach() {
        CommandRun run = run(changing, "watch likes --every 5ms --json");

        assertThat(run.exitCode()).isEqualTo(130);
        List<Map<String, Object>> readings =
                run.outLines().stream().map(ParsedJson::object).toList();
        assertThat(readings).extracting(reading -> reading.get("total")).containsExactly(5L, 7L);
        assertThat(readings)
                .allSatisfy(reading ->
                        assertThat(reading).containsEntry("name", "likes").containsKeys("asOf", "stalenessSeconds"));
    }

    @Test
    void watch_mayBeGivenAnyTime() {
        assertThat(run(changing, "watch likes --every 5ms --for 999999999h").exitCode())
                .isEqualTo(130);
    }

    @Test
    void watch_endsWhenItsTimeIsOver() {
        AlteredBackend backend = new AlteredBackend();
        try (Counters counters = Counters.over(InMemoryBackend.over(backend.store))) {
            counters.counter("likes").add(3);
            CommandRun run = run(backend, "watch likes --for 5s --every 10ms");
            assertThat(run.exitCode()).isZero();
            assertThat(run.outLines()).singleElement().asString().contains("3  at most");
        }
    }

    @Test
    void watch_ofACounterThatCannotBeRead_fails() {
        AlteredBackend backend = new AlteredBackend();
        backend.store.faults().inject(Fault.FAIL, Calls.all());
        CommandRun run = run(backend, "watch likes --for 5s --every 10ms");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.errLines()).first().asString().startsWith("counter: ").endsWith("; still watching");
        assertThat(run.errLines()).last().isEqualTo("counter: 'likes' could not be read in that time");
    }

    @Test
    void watch_survivesAnOutage() {
        AtomicInteger reads = new AtomicInteger();
        AlteredBackend backend = new AlteredBackend() {
            @Override
            protected long readTotal(long total) {
                if (reads.incrementAndGet() == 10) {
                    interrupt.request();
                }
                return total;
            }
        };
        backend.store.faults().inject(Fault.FAIL, Calls.next());
        CommandRun run = run(backend, "watch likes --every 10ms");
        assertThat(run.exitCode()).isEqualTo(130);
        assertThat(run.errLines()).singleElement().asString().contains("; still watching");
        assertThat(run.outLines()).singleElement().asString().contains("0  at most");
    }

    private static Process start(String... words) throws IOException {
        return new ProcessBuilder(JavaCommand.counter(words)).start();
    }

    /** Sends the real signal to another process. */
    @Test
    void watchThatIsInterrupted_exitsWith130() throws IOException, InterruptedException {
        Process process = start("watch", "likes");
        try (BufferedReader err = process.errorReader(UTF_8);
                BufferedReader out = process.inputReader(UTF_8)) {
            assertThat(out.readLine()).contains("0  at most");
            JavaCommand.assertInterruptible(process);
            assertThat(err.lines()).isEmpty();
        }
    }

    @Test
    void watch_endsWhenItsOutputIsClosed() throws IOException, InterruptedException {
        Process process = start("watch", "likes", "--every=1ms");
        process.getInputStream().close();
        boolean hasEnded = process.waitFor(30, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(hasEnded).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(CommandRun.of("help", "watch").out()).contains("or the output was closed");
    }
}
