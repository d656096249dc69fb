package io.counterkit.cli.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.cli.CommandRun;
import io.counterkit.cli.JavaCommand;
import io.counterkit.cli.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command on a local Datastore when its file cannot grow, as on a full disk. */
@Tag("exhaustive")
class FullDiskTest {
    @TempDir
    Path directory;

    /** Runs the command in a process whose files end behind one kibibyte, which the data is longer than. */
    private CommandRun runOnFullDisk(String input, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", "ulimit -f 1; exec \"$@\"", "sh"));
        command.addAll(JavaCommand.of(Main.class, List.of("-XX:-UsePerfData"), words));
        command.addAll(List.of("--backend", "datastore", "--data", directory.toString()));
        Process process = new ProcessBuilder(command).start();
        process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new CommandRun(process.exitValue(), out, err);
    }

    private CommandRun run(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--backend", "datastore", "--data", directory.toString()));
        return CommandRun.of(all.toArray(String[]::new));
    }

    @Test
    void addThatCouldNotBeWritten_isNotPrinted() throws Exception {
        CommandRun add = runOnFullDisk("", "add", "likes", "5", "--token", "order-17");
        assertThat(add.exitCode()).as(add.err()).isEqualTo(3);
        assertThat(add.out()).isEmpty();
        assertThat(add.err())
                .contains(directory.resolve("datastore.bin").toString(), "make room", "counter resolve order-17")
                .doesNotContain("Exception");
        assertThat(run("resolve", "order-17").out()).startsWith("not applied");
        assertThat(run("get", "likes").out()).isEqualTo("0\n");
    }

    @ParameterizedTest
    @CsvSource({"get likes, 1", "list, 1", "add likes, 0"})
    void outputThatCouldNotBeWritten_isReported_andFailsWhatOnlyReads(String words, int exitCode) throws Exception {
        run("add", "likes");
        List<String> command = new ArrayList<>(List.of("bash", "-c", "exec \"$@\" > /dev/full", "sh"));
        command.addAll(JavaCommand.counter(words.split(" ")));
        command.addAll(List.of("--backend", "datastore", "--data", directory.toString()));
        Process process = new ProcessBuilder(command).start();
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(err).isEqualTo("counter: the output could not be written: No space left on device\n");
        assertThat(process.waitFor()).isEqualTo(exitCode);
    }

    @Test
    void ingestThatCouldNotBeSaved_isReported() throws Exception {
        CommandRun ingest = runOnFullDisk("likes\nlikes\n", "ingest");
        assertThat(ingest.exitCode()).as(ingest.err()).isEqualTo(1);
        assertThat(ingest.err())
                .contains(
                        "the changes of this command were not saved in " + directory,
                        "make room",
                        "run the command again")
                .doesNotContain("Exception", "\tat ");
        assertThat(run("get", "likes").out()).isEqualTo("0\n");
    }
}
