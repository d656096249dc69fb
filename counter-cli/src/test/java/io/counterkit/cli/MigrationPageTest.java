package io.counterkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.tck.Prerequisite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/migration.md, from the first to the last, print what the page says. */
class MigrationPageTest {
    private static final Pattern COMMAND =
            Pattern.compile("```sh\\R(?<command>.*?)\\R```(\\s+```text\\R(?<output>.*?)```)?", Pattern.DOTALL);

    @Test
    void everyCommand_printsWhatThePageSays(@TempDir Path directory) throws IOException {
        String emulator = Prerequisite.required(FirestoreEmulator::shared).hostAndPort();
        String project = "demo-" + UUID.randomUUID();
        String page = Files.readString(Path.of("..", "docs", "migration.md"));
        Matcher commands = COMMAND.matcher(page);
        int count = 0;
        while (commands.find()) {
            String command = commands.group("command")
                    .replaceFirst("^counter ", "")
                    .replace("localhost:8080", emulator)
                    .replace("demo-shop", project)
                    .replace("--data shop", "--data " + directory.resolve("shop"));
            CommandRun run = CommandRun.of(command.split(" "));
            String output = commands.group("output");
            assertThat(printed(run)).as(command).isEqualTo(output == null ? printed(run) : output);
            assertThat(run.exitCode())
                    .as("%s: %s", command, run.err())
                    .isEqualTo(output != null && output.startsWith("exit code 1\n") ? 1 : 0);
            count++;
        }
        assertThat(count).isGreaterThan(10);
    }

    private static String printed(CommandRun run) {
        String text = run.out().replaceAll(" in [0-9.,]+ m?s\\b", " in TIME") + run.err();
        return run.exitCode() == 0 ? text : "exit code " + run.exitCode() + "\n" + text;
    }
}
