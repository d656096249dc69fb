package io.counterkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the README and of docs/command-line.md run, and run again, with other addresses and shorter
 * durations. Those without a backend are on a file of this test.
 */
class ReadmeCommandsTest {
    private static final String COUNTER = "./counter ";

    private final String page = read("docs/command-line.md");

    @Test
    void everyCommand_runs(@TempDir Path directory) {
        String postgresql = PostgresUrl.shared();
        List<String> commands = (read("README.md") + page)
                .lines()
                .filter(line -> line.startsWith(COUNTER))
                .toList();
        assertThat(commands).hasSizeGreaterThan(8);
        for (int round = 1; round <= 2; round++) {
            for (String command : commands) {
                CommandRun run = CommandRun.of(Emulators.inExample(
                                onTheDefault(command.substring(COUNTER.length()).replaceFirst(" +#.*", ""), directory))
                        .replace("samples/", "../samples/")
                        .replace("10s", "200ms")
                        .replace("jdbc:postgresql://localhost/app", postgresql)
                        .replace("./counts", directory.resolve("counts").toString())
                        .split(" "));
                assertThat(run.exitCode()).as("%s: %s", command, run.err()).isZero();
                assertThat(run.out()).as(command).isNotEmpty();
            }
        }
    }

    private static String onTheDefault(String command, Path directory) {
        return command.contains("--backend") || command.matches("(help|soak|migrate)\\b.*")
                ? command
                : command + " --backend sqlite --file " + directory.resolve("counters.db");
    }

    @Test
    void ingest_printsWhatThePageShows() {
        CommandRun run = CommandRun.of("ingest", "--access-log", "../samples/access.log");
        String shown = page.substring(page.indexOf("```\n2,500 lines in") + "```\n".length());
        assertThat(shown.substring(0, shown.indexOf("```")).lines())
                .filteredOn(line -> !line.isBlank() && !line.strip().equals("…"))
                .hasSize(5)
                .allSatisfy(line -> assertThat(withoutTimes(run.out())).contains(withoutTimes(line)));
    }

    private static String withoutTimes(String text) {
        return text.replaceAll(" in [0-9.,]+ m?s, [0-9,]+ a second", " in TIME")
                .replaceAll("[0-9.]+ adds a commit", "SOME adds a commit");
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of("..").resolve(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
