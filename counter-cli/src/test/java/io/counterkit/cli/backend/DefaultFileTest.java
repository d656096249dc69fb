package io.counterkit.cli.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.cli.CommandRun;
import io.counterkit.cli.JavaCommand;
import io.counterkit.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command does without --backend, in a process with a home directory of this test's own. */
class DefaultFileTest {
    @TempDir
    Path home;

    private Path data;

    @BeforeEach
    void nameTheDirectory() {
        data = home.resolve("counterkit");
    }

    private Path file() {
        return data.resolve("counters.db");
    }

    private CommandRun run(String command) throws IOException, InterruptedException {
        return run(Map.of("COUNTERKIT_HOME", data.toString()), command);
    }

    private CommandRun run(Map<String, String> environment, String command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(home, "out", "");
        Path err = Files.createTempFile(home, "err", "");
        Process process = start(environment, out, err, command);
        process.getOutputStream().close();
        return new CommandRun(process.waitFor(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    }

    private Process start(Map<String, String> environment, Path out, Path err, String command) throws IOException {
        List<String> words = JavaCommand.of(Main.class, List.of("-Duser.home=" + home), command.split(" "));
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
        Stream.of("COUNTERKIT_HOME", "COUNTERKIT_BACKEND", "XDG_DATA_HOME", "XDG_CACHE_HOME")
                .forEach(builder.environment()::remove);
        builder.environment().putAll(environment);
        return builder.start();
    }

    @Test
    void counts_areKeptFromOneRunToTheNext() throws Exception {
        CommandRun first = run("ingest --access-log ../samples/access.log");
        assertThat(first.exitCode()).as(first.err()).isZero();
        assertThat(first.errLines()).containsExactly("counter: the counters are kept in " + file());
        assertThat(first.out()).contains("337  /\n", "exact: 137 of 137 totals equal what was added");

        CommandRun second = run("ingest --access-log ../samples/access.log");
        assertThat(second.exitCode()).as(second.err()).isZero();
        assertThat(second.err()).isEmpty();
        assertThat(second.out()).containsPattern("674 +337 +/\n");
        assertThat(run("get /").out()).isEqualTo("674\n");
    }

    @Test
    void reading_createsNoData() throws Exception {
        CommandRun run = run("get likes");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("0\n");
        assertThat(run.errLines())
                .containsExactly("counter: there is no file " + file() + " yet, so it has no counters");
        assertThat(data).doesNotExist();
    }

    @Test
    void directoryThatCannotBeCreated_namesTheWayOut() throws Exception {
        Files.createSymbolicLink(data, home.resolve("absent")); // nothing can be created at a link to nothing

        CommandRun run = run("add likes");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(file().toString(), "name another directory with COUNTERKIT_HOME, or a file");
    }

    @Test
    @Tag("exhaustive")
    void commandsOfTwoProcesses_addExactly() throws Exception {
        List<Process> processes = new ArrayList<>();
        Map<String, String> environment = Map.of("COUNTERKIT_HOME", data.toString());
        for (int i = 0; i < 2; i++) {
            processes.add(start(environment, home.resolve("o" + i), home.resolve("e" + i), "ingest"));
        }
        for (Process process : processes) {
            try (var input = process.getOutputStream()) {
                input.write("likes\nviews\t3\n".repeat(1_000).getBytes(UTF_8));
            }
        }
        for (int i = 0; i < 2; i++) {
            assertThat(processes.get(i).waitFor())
                    .as(Files.readString(home.resolve("e" + i)))
                    .isZero();
        }
        assertThat(run("get likes").out()).isEqualTo("2000\n");
        assertThat(run("get views").out()).isEqualTo("6000\n");
    }

    @Test
    @Tag("exhaustive")
    void inMemory_isForgotten_andSoakLeavesNothing() throws Exception {
        assertThat(run("add likes --backend inmemory").exitCode()).isZero();
        assertThat(run(Map.of("COUNTERKIT_HOME", data.toString(), "COUNTERKIT_BACKEND", "inmemory"), "add likes")
                        .err())
                .contains("keeps nothing");
        assertThat(run("soak --operations 100").out()).contains("exact: ");
        assertThat(data).doesNotExist();
    }

    @Test
    @Tag("exhaustive")
    void localDatastore_isKeptInTheSameDirectory() throws Exception {
        CommandRun run = run("add likes --backend datastore");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.errLines()).containsExactly("counter: the counters are kept in " + data.resolve("datastore"));
        assertThat(data.resolve("datastore")).isNotEmptyDirectory();
        assertThat(home.resolve(".counterkit")).doesNotExist();
        CommandRun second = run("get likes --backend datastore");
        assertThat(second.out()).isEqualTo("1\n");
        assertThat(second.err()).isEmpty();
    }

    @Test
    @Tag("exhaustive")
    void nativeLibrary_isUnpackedOnce() throws Exception {
        assertThat(run("add likes").exitCode()).isZero();
        Path library = library();
        FileTime unpacked = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(library, unpacked);

        assertThat(run("add likes").exitCode()).isZero();
        assertThat(library()).isEqualTo(library);
        assertThat(Files.getLastModifiedTime(library)).isEqualTo(unpacked);

        Files.write(library, new byte[0]); // as after a power failure
        assertThat(run("add likes").exitCode()).isZero();
        assertThat(library).isNotEmptyFile();
        assertThat(run("get likes").out()).isEqualTo("3\n");
    }

    private Path library() throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("cache"))) {
            return files.filter(Files::isRegularFile)
                    .reduce((one, other) -> {
                        throw new AssertionError(one + " and " + other);
                    })
                    .orElseThrow();
        }
    }

    @Test
    @Tag("exhaustive")
    void directoryOfTheSystem_isUsed_withoutAVariable() throws Exception {
        CommandRun run = run(Map.of(), "add likes");
        assertThat(run.exitCode()).as(run.err()).isZero();
        try (Stream<Path> files = Files.walk(home)) {
            assertThat(files).filteredOn(path -> path.endsWith("counters.db")).hasSize(1);
        }
    }
}
