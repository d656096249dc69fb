package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.cli.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The position of a killed {@code ingest} is damaged, so that nobody knows what was counted. */
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
    private List<Path> positions() throws IOException {
        if (!Files.exists(directory.resolve("home"))) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory.resolve("home"))) {
            return files.filter(file -> file.toString().endsWith(".position")
                            && file.toFile().length() > 512)
                    .toList();
        }
    }

    @Test
    void damagedPosition_isNotTakenForNone() throws Exception {
        Files.write(
                directory.resolve("events"),
                IntStream.range(0, 200_000)
                        .mapToObj(i -> "a name of its own for each of the things that are counted here, number " + i)
                        .toList());
        Process killed = start();
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> !killed.isAlive() || !positions().isEmpty());
        killed.destroyForcibly().waitFor();
        assertThat(positions())
                .as(Files.readString(directory.resolve("output")))
                .hasSize(1);
        for (Path position : positions()) {
            Files.write(position, "?".repeat(1_024).getBytes(UTF_8));
        }

        assertRefused();
        assertRefused("--resume");
        assertThat(start("--no-resume").waitFor()).isZero();
        assertThat(positions()).isEmpty();
    }
}
