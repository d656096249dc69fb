package io.counterkit.cli.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.NotAppliedException;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.spi.CounterBackend;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Option;

/** Options that a backend brings along. */
class BackendOptionsTest {
    private final List<String> events = new ArrayList<>();

    @Test
    void option_isSetBeforeTheBackendIsOpened() {
        CommandRun run = run("ingest", "--shelf", "A 3", "--backend", "library");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(events).containsExactly("opened at A 3", "closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ingest", "soak"})
    void optionOfAnotherBackend_isRefused(String command) {
        CommandRun run = run(command, "--shelf=3");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .containsExactly("counter: --shelf is an option of backend 'library', not of 'inmemory': add"
                        + " --backend library, or omit it (see counter " + command + " --help)");
        assertThat(events).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"add a", "next a", "append a b=c", "reset a", "seal a --forward=b", "ingest"})
    void changeThatIsNotKept_printsAWarning(String command) {
        CommandRun run = CommandRun.of(command.split(" "));

        assertThat(run.exitCode()).isZero();
        assertThat(run.errLines())
                .containsExactly("counter: backend 'inmemory' keeps nothing after the command has ended: choose another"
                        + " with --backend to keep the change");
        assertThat(run((command + " --backend=library").split(" ")).err()).isEmpty();
        assertThat(CommandRun.of((command + " --backend=inmemory").split(" ")).err())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"get a", "list", "top", "entries a", "describe a", "add a five"})
    void commandThatChangesNothing_printsNoWarning(String command) {
        assertThat(run(command.split(" ")).err()).doesNotContain("keeps nothing");
    }

    @Test
    void invalidOptionOfABackend_exitsWith2() {
        CommandRun run = run("ingest", "--backend=library", "--shelf=none");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).containsExactly("counter: --shelf none: there is none (see counter ingest --help)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"burnt", "burnt down"})
    void storeThatCannotBeReached_exitsWith1(String shelf) {
        CommandRun run = run("ingest", "--backend=library", "--shelf=" + shelf);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).containsExactly("counter: the library is gone");
    }

    @Test
    void help_listsTheBackends_andShowsTheOptionsOfOne() {
        assertThat(run("help").out()).containsSubsequence("Backends", "inmemory", "library", "on shelves");
        assertThat(run("help", "library").out())
                .containsSubsequence(
                        "on shelves", "counter COMMAND --backend library", "--shelf=SHELF", "Where to look.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ingest", "soak", "get", "migrate"})
    void helpOfACommand_namesTheBackendsAndWhereTheirOptionsAre(String command) {
        assertThat(run(command, "--help").out())
                .contains("inmemory, library", "'counter help NAME'")
                .doesNotContain("--shelf");
    }

    private CommandRun run(String... args) {
        Backends backends = Backends.of(new InMemoryBackendFactory(), new Library(events));
        return CommandRun.on(backends, InputStream.nullInputStream(), new Interrupt(), args);
    }

    private static final class Library implements BackendFactory {
        private final List<String> events;

        @Option(names = "--shelf", paramLabel = "SHELF", description = "Where to look.")
        private @Nullable String shelf;

        Library(List<String> events) {
            this.events = events;
        }

        @Override
        public String name() {
            return "library";
        }

        @Override
        public String description() {
            return "on shelves";
        }

        @Override
        public OpenBackend open(Opening opening) {
            if ("none".equals(shelf)) {
                throw new IllegalArgumentException("--shelf none: there is none");
            }
            if ("burnt".equals(shelf)) {
                throw new NotAppliedException("the library is gone");
            }
            events.add("opened at " + shelf);
            return new OpenBackend() {
                @Override
                public CounterBackend backend() {
                    if ("burnt down".equals(shelf)) {
                        throw new NotAppliedException("the library is gone");
                    }
                    return InMemoryBackend.create();
                }

                @Override
                public void close() {
                    events.add("closed");
                }
            };
        }
    }
}
