package io.counterkit.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a user reads who has not set up everything; each in a process with an environment of its own. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT) // two tests wait ten seconds each
class FirestoreTroubleTest {
    @TempDir
    private Path home;

    @Test
    void noCredentials_namesTheCommandThatCreatesThem() throws Exception {
        CommandRun run = run(Map.of(), "get", "likes", "--backend=firestore", "--project=some");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .startsWith("counter: no Google Cloud credentials: run \"gcloud auth application-default login\"")
                .contains("GOOGLE_APPLICATION_CREDENTIALS", "--emulator");
    }

    @Test
    void missingKeyFile_isNamed() throws Exception {
        CommandRun run = run(
                Map.of("GOOGLE_APPLICATION_CREDENTIALS", home.resolve("none").toString()),
                "get",
                "likes",
                "--backend=firestore");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).singleElement().asString().contains("File does not exist");
    }

    @Test
    void noProject_asksForOne() throws Exception {
        CommandRun run = run(Map.of("GOOGLE_APPLICATION_CREDENTIALS", user()), "get", "likes", "--backend=firestore");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().startsWith("counter: which project? Say --project ID");
    }

    @Test
    void emulatorThatDoesNotRun_isNamed() throws Exception {
        String address = "127.0.0.1:" + closedPort();

        CommandRun run = run(Map.of(), "add", "likes", "--backend=firestore", "--emulator", address);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .startsWith("counter: emulator " + address + ": no Firestore emulator answers there");
    }

    @Test
    void emulatorOfTheEnvironment_isUsedWithoutAnOption() throws Exception {
        String address = "127.0.0.1:" + closedPort();

        CommandRun run = run(Map.of("FIRESTORE_EMULATOR_HOST", address), "add", "likes", "--backend=firestore");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .startsWith("counter: FIRESTORE_EMULATOR_HOST " + address + ": no Firestore emulator answers there");
    }

    @Test
    void emulatorThatCannotBeStarted_isReported() throws Exception {
        CommandRun run = run(Map.of("PATH", home.toString()), "add", "likes", "--backend=firestore", "--emulator");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).singleElement().asString().startsWith("counter: No Firestore emulator: ");
    }

    private String user() throws IOException {
        return Files.writeString(home.resolve("user.json"), """
                {"type": "authorized_user", "client_id": "a", "client_secret": "b", "refresh_token": "c"}
                """).toString();
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private CommandRun run(Map<String, String> environment, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.home=" + home,
                "-cp",
                System.getProperty("java.class.path"),
                "io.counterkit.cli.Main"));
        command.addAll(List.of(args));
        Path out = home.resolve("out");
        Path err = home.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(Map.of("HOME", home.toString(), "NO_GCE_CHECK", "true"));
        builder.environment().putAll(environment);
        int exitCode = builder.start().waitFor();
        return new CommandRun(exitCode, Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    }
}
