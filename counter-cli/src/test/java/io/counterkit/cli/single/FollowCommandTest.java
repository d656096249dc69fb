package io.counterkit.cli.single;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.Sequence;
import io.counterkit.Tail;
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
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code counter follow}, which ends after an entry, by Ctrl-C, or when its output is closed. */
@Timeout(300)
class FollowCommandTest {
    private final Interrupt interrupt = new Interrupt();
    private final Live backend = new Live();
    private final Counters counters = Counters.over(InMemoryBackend.over(backend.store));
    private final Sequence orders = counters.sequence("orders");

    /** Runs an action at each read of the tail. */
    private static final class Live extends AlteredBackend {
        private final AtomicInteger looks = new AtomicInteger();
        private volatile IntConsumer atLook = look -> {};
        private volatile long missing;

        @Override
        protected Tail readTail(Tail tail) {
            atLook.accept(looks.incrementAndGet());
            return new Tail(tail.last() + missing, tail.liveCount(), tail.seal());
        }
    }

    private CommandRun run(String command) {
        return CommandRun.on(
                Backends.of(new TestBackend(backend)), InputStream.nullInputStream(), interrupt, command.split(" "));
    }

    private void append(int entries) {
        for (int i = 0; i < entries; i++) {
            orders.append(Map.of("customer", "c-" + i));
        }
    }

    private static List<String> numbers(CommandRun run) {
        return run.outLines().stream().map(line -> line.replaceAll(" .*", "")).toList();
    }

    @Test
    void entriesArePrinted_asByEntries() {
        append(3);
        CommandRun run = run("follow orders --from 2 --until 3");
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo(run("entries orders --from 2").out());
    }

    @Test
    void entriesThatAreAppendedMeanwhile_arePrinted_untilItIsInterrupted() {
        append(1);
        backend.atLook = look -> {
            if (look == 3) {
                append(1);
            } else if (look == 5) {
                append(2);
            } else if (look == 20) {
                interrupt.request();
            }
        };
        CommandRun run = run("follow orders --every 5ms");
        assertThat(run.exitCode()).isEqualTo(130);
        assertThat(run.err()).isEmpty();
        assertThat(numbers(run)).containsExactly("1", "2", "3", "4");
    }

    @Test
    void json_isALineForEach() {
        append(2);
        CommandRun run = run("follow orders --until 2 --json");
        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines().stream().map(ParsedJson::object))
                .satisfiesExactly(
                        first -> assertThat(first)
                                .containsEntry("sequence", "orders")
                                .containsEntry("number", 1L)
                                .containsEntry("fields", Map.of("customer", "c-0")),
                        second -> assertThat(second).containsEntry("number", 2L));
    }

    @Test
    void checkpoint_letsTheNextRunContinue() {
        append(5);
        assertThat(numbers(run("follow orders --until 2 --checkpoint mailed"))).containsExactly("1", "2");
        assertThat(counters.counter("mailed").get()).isEqualTo(2);
        assertThat(numbers(run("follow orders --until 4 --checkpoint mailed"))).containsExactly("3", "4");
        for (int until = 1; until <= 4; until++) {
            CommandRun run = run("follow orders --until " + until + " --checkpoint mailed");
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).isEmpty();
        }
        assertThat(counters.counter("mailed").get()).isEqualTo(4);
    }

    @Test
    void outage_isReportedAndSurvived() {
        append(2);
        backend.store.faults().inject(Fault.FAIL, Calls.next("orders"));
        CommandRun run = run("follow orders --until 2 --every 10ms");
        assertThat(run.exitCode()).isZero();
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .startsWith("counter: ")
                .endsWith("; still following");
        assertThat(numbers(run)).containsExactly("1", "2");
    }

    @Test
    void missingEntry_endsIt() {
        append(2);
        backend.missing = 1;
        CommandRun run = run("follow orders --until 3 --every 10ms");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(numbers(run)).containsExactly("1", "2");
        assertThat(run.errLines())
                .containsExactly("counter: entry 3 of 'orders' is missing, but its last number is 3: copy the missing"
                        + " entries, or start at a later number");
    }

    @Test
    void checkpointOfAnotherSequence_endsIt() {
        append(2);
        counters.counter("mailed").add(7);
        CommandRun run = run("follow orders --checkpoint mailed");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .containsExactly("counter: the checkpoint 'mailed' is 7, but 'orders' has only 2 entries: use a counter"
                        + " that only followers of this sequence change");
    }

    @Test
    void checkpointThatCannotBeStored_isReported() {
        append(2);
        backend.store.faults().inject(Fault.FAIL, Calls.all("mailed").skipping(1));
        CommandRun run = run("follow orders --until 2 --checkpoint mailed");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(numbers(run)).containsExactly("1", "2");
        assertThat(run.errLines()).isNotEmpty().last().asString().doesNotContain("still following");
    }

    /** Sends the real signal to another process. */
    @Test
    void processThatIsInterrupted_storesItsCheckpoint(@TempDir Path directory) throws Exception {
        String file = directory.resolve("counters.db").toString();
        assertThat(sqlite(file, "next", "orders").exitCode()).isZero();
        Process process = start(file, "follow", "orders", "--checkpoint", "mailed");
        try (BufferedReader err = process.errorReader(UTF_8);
                BufferedReader out = process.inputReader(UTF_8)) {
            assertThat(out.readLine()).startsWith("1  ");
            JavaCommand.assertInterruptible(process);
            assertThat(err.lines()).isEmpty();
        }
        assertThat(sqlite(file, "get", "mailed").out()).isEqualTo("1\n");
    }

    @Test
    void entryThatNobodyReads_isPrintedAgain(@TempDir Path directory) throws Exception {
        String file = directory.resolve("counters.db").toString();
        assertThat(sqlite(file, "next", "orders").exitCode()).isZero();
        Process process = start(file, "follow", "orders", "--checkpoint", "mailed", "--every", "1ms");
        process.getInputStream().close();
        boolean hasEnded = process.waitFor(30, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(hasEnded).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(sqlite(file, "get", "mailed").out()).isEqualTo("0\n");
        assertThat(numbers(sqlite(file, "follow", "orders", "--checkpoint", "mailed", "--until", "1")))
                .containsExactly("1");
    }

    private static String[] onFile(String file, String... words) {
        return Stream.concat(Stream.of(words), Stream.of("--backend", "sqlite", "--file", file))
                .toArray(String[]::new);
    }

    private static CommandRun sqlite(String file, String... words) {
        return CommandRun.of(onFile(file, words));
    }

    private static Process start(String file, String... words) throws IOException {
        return new ProcessBuilder(JavaCommand.counter(onFile(file, words))).start();
    }
}
