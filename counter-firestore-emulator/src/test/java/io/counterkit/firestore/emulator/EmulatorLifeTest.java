package io.counterkit.firestore.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import io.counterkit.tck.Prerequisite;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that an emulator ends with the JVM that started it, which is a child of this one. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Tag("exhaustive")
class EmulatorLifeTest {
    private final Process parent = startParent();

    EmulatorLifeTest() throws IOException {}

    /** Starts an emulator, prints its process id, and waits for a line before it ends. */
    static final class Parent {
        public static void main(String[] arguments) throws IOException {
            FirestoreEmulator emulator = FirestoreEmulator.start(EmulatorOptions.defaults());
            List<ProcessHandle> children = ProcessHandle.current().children().toList();
            System.out.println(children.size() + " " + children.get(0).pid() + " " + emulator.hostAndPort());
            int unused = System.in.read();
        }
    }

    @BeforeAll
    static void requireEmulator() {
        Prerequisite.required(() -> FirestoreEmulator.start(EmulatorOptions.defaults()))
                .close();
    }

    @AfterEach
    void endParent() {
        parent.destroyForcibly();
    }

    @Test
    void parentKilled_emulatorEnds() throws IOException {
        Started started = started();

        parent.destroyForcibly();

        awaitEnd(started);
    }

    @Test
    void parentExits_emulatorEnds() throws IOException {
        Started started = started();

        parent.getOutputStream().write('\n');
        parent.getOutputStream().flush();

        awaitEnd(started);
    }

    /** Sends the signal of Ctrl-C, which reaches the emulator too. */
    @Test
    void interrupted_emulatorKeepsRunningForItsParent() throws Exception {
        Started started = started();

        Process kill = new ProcessBuilder(
                        "kill", "-INT", String.valueOf(started.process().pid()))
                .start();
        assertThat(kill.waitFor()).isZero();

        Firestore client = FirestoreEmulator.at(started.hostAndPort()).connect("demo-" + UUID.randomUUID());
        assertThat(client.document("a/b").get().get().exists()).isFalse();
        client.close();
        assertThat(started.process().isAlive()).isTrue();
    }

    private record Started(ProcessHandle process, String hostAndPort) {}

    private Started started() throws IOException {
        try (BufferedReader output = parent.inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            assertThat(line)
                    .as("number of children, the child's pid, its address")
                    .matches("1 [0-9]+ [0-9.]+:[0-9]+");
            String[] words = line.split(" ", -1);
            ProcessHandle emulator = ProcessHandle.of(Long.parseLong(words[1])).orElseThrow();
            assertThat(emulator.isAlive()).isTrue();
            FirestoreEmulator.at(words[2]).close();
            return new Started(emulator, words[2]);
        }
    }

    private static void awaitEnd(Started started) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(started.process().isAlive())
                        .as("process %s, the emulator at %s, lives", started.process(), started.hostAndPort())
                        .isFalse());
    }

    private static Process startParent() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Parent.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
