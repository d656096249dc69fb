package io.counterkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.spi.CounterBackend;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every failure is reported as JSON when JSON is asked for. */
class JsonFailuresTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "add",
                "add a five",
                "add a --loud",
                "get a --backend=none",
                "list --limit=x",
                "erase a 1",
                "reshard a 5",
                "watch a --every=0s",
                "ingest /no/such/file",
                "ingest --top=-1",
                "soak --workers=0",
                "migrate --from=inmemory --to=inmemory",
                "get a --backend=datastore --data=/dev/null",
                "help nonsense"
            })
    void misuse_isJson(String command) {
        CommandRun plain = CommandRun.of(command.split(" "));
        List<String> words = new ArrayList<>(Arrays.asList(command.split(" ")));
        words.add(words.get(0).equals("help") ? 0 : 1, "--json");
        CommandRun run = CommandRun.of(words.toArray(String[]::new));

        assertThat(plain.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(plain.exitCode()).isEqualTo(2);
        assertThat(run.outLines()).hasSize(1);
        assertThat(ParsedJson.object(run.out())).containsEntry("outcome", "not applied");
        assertThat(run.err()).contains(error(run));
    }

    @Test
    void jsonAfterTheEndOfOptions_isAName() {
        assertThat(CommandRun.of("delete", "--", "--json", "b").out()).isEmpty();
    }

    @Test
    void storeThatCannotBeReached_isJson() {
        CommandRun run = CommandRun.of("ingest", "--json", "--backend=firestore", "--emulator=localhost:1");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(error(run)).contains("localhost:1");
    }

    /** A change is certain only when the store is closed. */
    @ParameterizedTest
    @ValueSource(strings = {"add a", "next a", "append a", "reset a", "delete a", "seal a --forward=b"})
    void storeThatCannotBeClosed_leavesAChangeUnknown(String command) {
        CommandRun run = on(new Full(), (command + " --json").split(" "));

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.outLines()).hasSize(1);
        assertThat(ParsedJson.object(run.out())).containsEntry("outcome", "unknown");
        assertThat(error(run)).isEqualTo("it was not written: no room");
        assertThat(on(new Full(), command.split(" ")).out()).isEmpty();
    }

    @Test
    void storeThatCannotBeClosedAfterAReading_isAFailure() {
        assertThat(on(new Full(), "get", "a").exitCode()).isEqualTo(1);
        assertThat(on(new Full(), "ingest").err())
                .contains("counter: it was not written: no room")
                .doesNotContain("\tat ");
    }

    @Test
    void unusableDataDirectory_isExplained() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThat(data(file)).isEqualTo("--data " + file + " cannot be used: " + file + " is a file, not a directory");
        assertThat(data(file.resolve("below"))).contains("file").doesNotContain("Exception");
    }

    private static String data(Path directory) {
        CommandRun run = CommandRun.of("get", "a", "--json", "--backend=datastore", "--data=" + directory);
        assertThat(run.exitCode()).isEqualTo(2);
        return error(run);
    }

    private static String error(CommandRun run) {
        return String.valueOf(ParsedJson.object(run.out()).get("error"));
    }

    private static CommandRun on(BackendFactory backend, String... args) {
        return CommandRun.on(Backends.of(backend), InputStream.nullInputStream(), new Interrupt(), args);
    }

    /** A backend whose changes cannot be saved when it is closed. */
    private static final class Full implements BackendFactory {
        @Override
        public String name() {
            return "inmemory";
        }

        @Override
        public String description() {
            return "without room";
        }

        @Override
        public OpenBackend open(Opening opening) {
            return new OpenBackend() {
                @Override
                public CounterBackend backend() {
                    return InMemoryBackend.create();
                }

                @Override
                public void close() {
                    throw new UncheckedIOException("it was not written", new IOException("no room"));
                }
            };
        }
    }
}
