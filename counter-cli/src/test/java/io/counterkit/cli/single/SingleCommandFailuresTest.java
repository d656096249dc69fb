package io.counterkit.cli.single;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.cli.AlteredBackend;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.ParsedJson;
import io.counterkit.cli.TestBackend;
import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Option;

/** The failures of commands that make one call, and of {@code describe}. */
class SingleCommandFailuresTest {
    private final InMemoryStore store = InMemoryStore.create();
    private final Counters counters = Counters.over(InMemoryBackend.over(store));

    @ParameterizedTest
    @CsvSource({
        "add it's 5,0,applied: add of 5 to 'it's'",
        "next it's,0,applied: entry 1 of 'it's'",
        "reset it's,0,applied: change of 'it's'",
        "delete it's,0,applied: change of 'it's'"
    })
    void outcomeUnknown_printsTheCommandThatResolvesIt(String command, int exitCode, String decided) {
        store.faults().inject(Fault.LOSE_REPLY, Calls.next("it's"));

        CommandRun run = run(command.split(" "));

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        assertThat(run.errLines()).hasSize(2);
        String offer = "counter: the outcome is unknown; this command resolves it: ";
        assertThat(run.errLines().get(1))
                .startsWith(offer + "counter resolve '~ck:")
                .endsWith(" --backend inmemory");
        CommandRun resolve = run(words(run.errLines().get(1).substring((offer + "counter ").length())));
        assertThat(resolve.exitCode()).isEqualTo(exitCode);
        assertThat(resolve.out()).isEqualTo(decided + "\n");
    }

    @Test
    void outcomeUnknown_underACallersToken_canBeRepeated() {
        store.faults().inject(Fault.LOSE_REPLY, Calls.next("likes"));

        CommandRun run = run("add", "likes", "5", "--token=order 17", "--json");

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains("counter resolve 'order 17' --backend inmemory");
        assertThat(ParsedJson.object(run.out()))
                .containsEntry("outcome", "unknown")
                .containsEntry("token", "order 17")
                .containsKey("error");
        assertThat(run("add", "likes", "5", "--token=order 17").exitCode()).isZero();
        assertThat(counters.counter("likes").get()).isEqualTo(5);
    }

    @Test
    void outcomeUnknown_printsACommandWithTheSameBackendOptions() {
        store.faults().inject(Fault.LOSE_REPLY, Calls.next("likes"));
        BackendFactory other = new Shelved(InMemoryBackend.over(store));

        CommandRun run = run(other, "add", "likes", "--token=t", "--shelf=A 3", "--backend=shelved", "--lit");

        assertThat(run.err()).contains("counter resolve t --backend shelved --shelf 'A 3' --lit\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"add a", "get a", "list", "next a", "entries a", "reset a", "seal a --forward=b", "erase a 1"})
    void storeThatFails_isNotAppliedAndExitCode1(String command) {
        store.faults().inject(Fault.FAIL, Calls.all());

        CommandRun run = run((command + " --json").split(" "));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).singleElement().asString().startsWith("counter: ");
    }

    /** The command that the message suggests must be valid. */
    @Test
    void tokenThatStartsWithAHyphen_canBeResolved() {
        store.faults().inject(Fault.LOSE_REPLY, Calls.next("a"));
        CommandRun run = run("add", "a", "--token=-x");
        String shown = run.errLines().get(1).replaceFirst(".*: counter ", "");
        assertThat(shown).endsWith(" -- -x");
        assertThat(run(shown.split(" ")).out()).isEqualTo("applied: add of 1 to 'a'\n");
    }

    @Test
    void resolve_withoutAnAnswer_exitsWith3() {
        CounterBackend mute = new AlteredBackend() {
            @Override
            public CompletableFuture<Resolution> resolve(
                    IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
                return CompletableFuture.failedFuture(new NotAppliedException("gone"));
            }
        };

        CommandRun run = run(new TestBackend(mute), "resolve", "t");

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.errLines()).last().asString().contains("counter resolve t --backend inmemory");
    }

    @Test
    void describe_printsTheCounterAndTheSequence() {
        counters.counter("a").add(7);
        counters.sequence("a").next();
        counters.sequence("a").seal("there");

        CommandRun run = run("describe", "a");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualTo("""
                counter 'a'
                  total        7
                sequence 'a'
                  last number  1
                  live count   1
                  sealed       it continues at 'there'
                """);
        assertThat(ParsedJson.object(run("describe", "a", "--json").out()))
                .isEqualTo(Map.of(
                        "name", "a",
                        "counter", Map.of("total", 7L),
                        "sequence", Map.of("last", 1L, "liveCount", 1L, "forward", "there")));
    }

    @Test
    void describe_printsTheSealOfACounter() {
        counters.counter("a").add(7);
        counters.counter("a").seal("there");

        assertThat(run("describe", "a").outLines())
                .startsWith("counter 'a'", "  total        7", "  sealed       it continues at 'there'");
        assertThat(ParsedJson.object(run("describe", "a", "--json").out()))
                .containsEntry("counter", Map.of("total", 7L, "forward", "there"));
        assertThat(run("help", "describe").out()).contains("This includes their seals");
    }

    @Test
    void describe_ofAnAbsentName_printsZeros() {
        CommandRun run = run("describe", "a");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualTo("""
                counter 'a'
                  total        0
                sequence 'a'
                  last number  0
                  live count   0
                """);
    }

    @Test
    void describe_ofATotalThatCannotBeRead_showsTheRest() {
        for (int i = 0; i < 513; i++) {
            counters.counter("a").add(1L << 53);
        }

        CommandRun run = run("describe", "a");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.outLines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("counter 'a'"),
                        line -> assertThat(line).startsWith("  cannot be read: "),
                        line -> assertThat(line).isEqualTo("sequence 'a'"),
                        line -> assertThat(line).isEqualTo("  last number  0"),
                        line -> assertThat(line).isEqualTo("  live count   0"));
    }

    private CommandRun run(String... args) {
        return run(new TestBackend(InMemoryBackend.over(store)), args);
    }

    private static CommandRun run(BackendFactory backend, String... args) {
        return CommandRun.on(Backends.of(backend), InputStream.nullInputStream(), new Interrupt(), args);
    }

    /** Splits a command line as a shell does. */
    private static String[] words(String line) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", "printf '%s\\n' " + line).start();
            return shell.inputReader().lines().toArray(String[]::new);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Shelved implements BackendFactory {
        private final CounterBackend backend;

        @Option(names = "--shelf", paramLabel = "SHELF", description = "Where to look.")
        private @Nullable String shelf;

        @Option(names = "--lit", description = "With the light on.")
        private boolean lit;

        Shelved(CounterBackend backend) {
            this.backend = backend;
        }

        @Override
        public String name() {
            return "shelved";
        }

        @Override
        public String description() {
            return "on shelf " + shelf + (lit ? ", lit" : "");
        }

        @Override
        public OpenBackend open(Opening opening) {
            return () -> backend;
        }
    }
}
