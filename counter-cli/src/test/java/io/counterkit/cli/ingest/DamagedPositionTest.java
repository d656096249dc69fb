package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.cli.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The position that a killed {@code ingest} has left is damaged, so that it is unknown what was counted. */
class DamagedPositionTest {
    @TempDir
    Path directory;

    private Process start(String... options) throws IOException {
        String input = directory.resolve("events").toString();
        String database = directory.resolve("counts.db").toString();
        List<String> words = new ArrayList<>(List.of("ingest", input, "--backend", "sqlite", "--file", database));
        words.addAll(List.of(options));
        ProcessBuilder command = new ProcessBuilder(JavaCommand.counter(words.toArray(String[]::new)));
        command.environment().put("COUNTERKIT_HOME", directory.resolve("home").toString());
        return command.redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
    }

    private void assertRefused(String... options) throws Exception {
        assertThat(start(options).waitFor()).isEqualTo(2);
        assertThat(Files.readString(directory.resolve("output")))
                .contains("is damaged or of another version: add --no-resume to count all of it again");
    }

    /** Returns the file of the position, once it has been written twice. */
    private List<File> positions() {
        File[] files = directory.resolve("home/ingest").toFile().listFiles(file -> file.length() > 512);
        return files == null ? List.of() : List.of(files);
    }

    /** Kills a process that counts, and returns whether it has left a position. */
    private boolean isKilledInTime() throws Exception {
        Process process = start();
        await().atMost(Duration.ofMinutes(1))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> !process.isAlive() || !positions().isEmpty());
        process.destroyForcibly().waitFor();
        return !positions().isEmpty();
    }

    @Test
    void damagedPosition_isNotTakenForNone() throws Exception {
        Files.write(
                directory.resolve("events"),
                IntStream.range(0, 40_000) // almost four parts
                        .mapToObj(i -> "a long name ".repeat(32) + i)
                        .toList());
        await().atMost(Duration.ofMinutes(2)).until(this::isKilledInTime);
        for (File position : positions()) {
            Files.write(position.toPath(), "?".repeat(1_024).getBytes(UTF_8));
        }

        assertRefused();
        assertRefused("--resume");
        assertThat(start("--no-resume").waitFor()).isZero();
        assertThat(positions()).isEmpty();
    }
}
