package io.counterkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                    | say what to do: ingest or soak             | counter
                    ingst                 | unknown command 'ingst'; did you mean ingest? | counter
                    --loud                | unknown option '--loud'                    | counter
                    ingest --loud         | unknown option '--loud'                    | counter ingest
                    ingest a b            | unknown argument 'b'                       | counter ingest
                    ingest --backend x    | there is no backend 'x': choose one of inmemory | counter ingest
                    ingest /no/such/file  | there is no file '/no/such/file'           | counter ingest
                    ingest --top=-1       | --top -1: use 0 or more                    | counter ingest
                    ingest --in-flight 0  | --in-flight 0: use 1 or more               | counter ingest
                    soak --backend x      | there is no backend 'x': choose one of inmemory | counter soak
                    soak --faults 1       | --faults 1.0: use a probability from 0 to less than 1 | counter soak
                    soak --workers 0      | --workers 0: use 1 or more                 | counter soak
                    soak --operations 0   | --operations 0: use 1 or more              | counter soak
                    """)
    void misuse_getsOneLineAndExitCode2(String args, String problem, String command) {
        CommandRun run = CommandRun.of(args.isEmpty() ? new String[0] : args.split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.errLines()).containsExactly("counter: " + problem + " (see " + command + " --help)");
    }

    @Test
    void soakOfNothing_isRefused() {
        CommandRun run = CommandRun.of("soak", "--counters=0", "--sequences=0");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("counter: --counters 0 --sequences 0: use 0 or more, and not 0 of both");
    }

    @ParameterizedTest
    @CsvSource({"--top,x", "--in-flight,1.5"})
    void valueOfTheWrongKind_isNamed(String option, String value) {
        CommandRun run = CommandRun.of("ingest", option, value);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().contains(option).contains("'" + value + "'");
    }

    @ParameterizedTest
    @CsvSource({"10x", "s", "-1s", "1 s"})
    void durationThatIsNone_isNamed(String duration) {
        CommandRun run = CommandRun.of("soak", "--duration=" + duration);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().contains("'" + duration + "' is no duration like 500ms");
    }

    @Test
    void directory_cannotBeRead(@TempDir Path folder) throws IOException {
        CommandRun run = CommandRun.of("ingest", folder.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().contains("is a directory");
    }

    @ParameterizedTest
    @CsvSource({"counter,''", "ingest,ingest", "soak,soak"})
    void help_tellsTheUsage(String name, String command) {
        CommandRun run = CommandRun.of((command + " --help").trim().split(" "));

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("Usage: counter").contains(name).contains("--help");
        assertThat(run.outLines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void version_tellsThoseOfTheCommandAndOfJava() {
        CommandRun run = CommandRun.of("--version");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("counter ").contains(Runtime.version().toString());
    }
}
