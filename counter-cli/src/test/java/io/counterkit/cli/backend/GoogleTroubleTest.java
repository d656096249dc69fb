package io.counterkit.cli.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.JavaCommand;
import io.counterkit.cli.Main;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The messages for users of Google's stores whose setup is incomplete. Each command runs in another process, with an
 * environment of its own.
 */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT) // two tests wait ten seconds each
@Tag("exhaustive")
class GoogleTroubleTest {
    @TempDir
    private Path home;

    @ParameterizedTest
    @ValueSource(strings = {"firestore", "datastore"})
    void noCredentials_namesTheCommandThatCreatesThem(String backend) throws Exception {
        CommandRun run = run(Map.of(), "get", "likes", "--project=some", "--backend=" + backend);

        assertThat(run.exitCode()).isEqualTo(2);
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

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().contains("File does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"firestore", "datastore --database=other"})
    void noProject_asksForOne(String backend) throws Exception {
        CommandRun run =
                run(Map.of("GOOGLE_APPLICATION_CREDENTIALS", user()), ("get likes --backend=" + backend).split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .startsWith("counter: no Google Cloud project: name one with --project ID");
    }

    /** Google's server refuses to renew a login that has expired. */
    @Test
    void refusedCredentials_nameTheCommandThatRenewsThem() throws Exception {
        HttpServer tokens = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        tokens.createContext("/", exchange -> {
            byte[] answer = "{\"error\":\"invalid_grant\",\"error_description\":\"expired\"}".getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(400, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        tokens.start();
        try {
            CommandRun run = run(
                    Map.of(
                            "GOOGLE_APPLICATION_CREDENTIALS",
                            user("http://127.0.0.1:" + tokens.getAddress().getPort() + "/")),
                    "add",
                    "likes",
                    "--backend=datastore",
                    "--project=some");

            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.errLines())
                    .singleElement()
                    .asString()
                    .startsWith("counter: project 'some', database '(default)': the credentials are not accepted");
        } finally {
            tokens.stop(0);
        }
    }

    @ParameterizedTest
    @CsvSource({"firestore,Firestore", "datastore,Datastore"})
    void emulatorThatDoesNotRun_isNamed(String backend, String product) throws Exception {
        String address = "127.0.0.1:" + closedPort();

        CommandRun run = run(Map.of(), "add", "likes", "--backend=" + backend, "--emulator", address);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .startsWith("counter: emulator " + address + ": no " + product + " emulator answers there");
    }

    @Test
    void emulatorOfTheEnvironment_isUsedWithoutAnOption() throws Exception {
        String address = "127.0.0.1:" + closedPort();

        CommandRun run = run(Map.of("FIRESTORE_EMULATOR_HOST", address), "add", "likes", "--backend=firestore");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .startsWith("counter: FIRESTORE_EMULATOR_HOST " + address + ": no Firestore emulator answers there");
    }

    /** The client then creates its own channel, into which no fault can be injected. */
    @Test
    void faultsOnTheEmulatorOfTheEnvironment_areRefused() throws Exception {
        CommandRun run = run(
                Map.of("FIRESTORE_EMULATOR_HOST", "127.0.0.1:1"),
                "soak --faults 0.1 --backend firestore --emulator".split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .containsExactly("counter: --faults 0.1: backend 'firestore' has no fault injection: use inmemory, or"
                        + " --backend firestore --emulator without FIRESTORE_EMULATOR_HOST in the environment (see"
                        + " counter soak --help)");
    }

    /** An application that is tested on an emulator must never change the real project. */
    @Test
    void emulatorOfTheEnvironment_isUsedInsteadOfAProject() throws Exception {
        String address = "127.0.0.1:" + closedPort();

        CommandRun run = run(
                Map.of("DATASTORE_EMULATOR_HOST", address), "add", "likes", "--backend=datastore", "--project=some");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("counter: emulator " + address + ": no Datastore emulator answers there");
    }

    @ParameterizedTest
    @ValueSource(strings = {"firestore", "datastore"})
    void emulatorThatCannotBeStarted_isReported(String backend) throws Exception {
        CommandRun run = run(Map.of("PATH", home.toString()), "add", "likes", "--backend=" + backend, "--emulator");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().startsWith("counter: No Firestore emulator: ");
    }

    private String user() throws IOException {
        return user("http://127.0.0.1:1/");
    }

    private String user(String tokens) throws IOException {
        return Files.writeString(home.resolve("user.json"), """
                {"type": "authorized_user", "client_id": "a", "client_secret": "b", "refresh_token": "c", "token_uri": "%s"}
                """.formatted(tokens))
                .toString();
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private CommandRun run(Map<String, String> environment, String... args) throws Exception {
        List<String> command = JavaCommand.of(Main.class, List.of("-Duser.home=" + home), args);
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
