package io.counterkit.examples.likes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages of the command when it cannot start, on a machine without Google Cloud credentials. */
class LikesCommandTest {
    @TempDir
    private Path home;

    /** Runs the command to its end and returns its exit code and output. */
    private Map.Entry<Integer, String> likes(Map<String, String> environment, String... options)
            throws IOException, InterruptedException {
        List<String> command = JavaCommand.start();
        command.addAll(
                List.of("-Duser.home=" + home, "-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(options));
        ProcessBuilder likes = new ProcessBuilder(command).redirectErrorStream(true);
        likes.environment()
                .keySet()
                .removeIf(name -> name.startsWith("GOOGLE_")
                        || name.startsWith("GCLOUD_")
                        || name.startsWith("CLOUDSDK_")
                        || name.endsWith("_EMULATOR_HOST")
                        || name.startsWith("COUNTERKIT_")
                        || name.startsWith("XDG_"));
        // Prevents requests to Google.
        likes.environment()
                .putAll(Map.of(
                        "HOME",
                        home.toString(),
                        "CLOUDSDK_CONFIG",
                        home.resolve("gcloud").toString(),
                        "NO_GCE_CHECK",
                        "true"));
        likes.environment().putAll(environment);
        Process process = likes.start();
        process.getOutputStream().close();
        StringBuilder output = new StringBuilder();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                output.append(line).append('\n');
                if (line.contains("Ctrl-C ends it")) {
                    process.destroyForcibly(); // it must not start
                    break;
                }
            }
        }
        return Map.entry(process.waitFor(), output.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --backend datastore --emulator | --emulator belongs to --backend firestore, and this is --backend datastore
        --backend datastore --emulator 127.0.0.1:1 | --emulator belongs to --backend firestore
        --emulator | --emulator belongs to --backend firestore, and this is --backend sqlite
        --project p | --project belongs to --backend firestore
        --backend datastore --project p | --project belongs to --backend firestore
        --data d | --data belongs to --backend datastore, and this is --backend sqlite
        --backend firestore --emulator --data d | --data belongs to --backend datastore
        --backend oracle | likes: --backend: 'oracle': use sqlite, inmemory, datastore or firestore
        --backend firestore --emulator nowhere | --emulator nowhere: use HOST:PORT
        --backend firestore --project= | --project is empty
        --backend inmemory --file f | --file belongs to --backend sqlite, and this is --backend inmemory
        --port 65536 | --port 65536: use 0 to 65535
        --port x | likes: --port: 'x' is not a number from 0 to 65535
        --version | unknown argument '--version'
        --color | --color
        """)
    void wrongOptionIsRefused(String options, String why) {
        StringWriter errors = new StringWriter();
        int code = Main.command().setErr(new PrintWriter(errors, true)).execute(options.split(" "));
        assertThat(code).as(errors.toString()).isEqualTo(2);
        assertThat(errors.toString().lines().toList())
                .hasSize(2)
                .allMatch(line -> line.startsWith("likes: "))
                .first()
                .asString()
                .contains(why);
        assertHasNoInternals(errors.toString());
    }

    @Test
    void missingCredentialsAreExplained() throws Exception {
        assertFails(likes(Map.of(), "--backend", "firestore"), "gcloud auth application-default login");
        assertFails(
                likes(Map.of(), "--backend", "firestore", "--project", "p"),
                "no Google Cloud credentials: run \"gcloud auth application-default login\"");
    }

    @Test
    void missingProjectIsExplained() throws Exception {
        Path credentials = Files.writeString(home.resolve("credentials.json"), """
            {"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r"}
            """);
        assertFails(
                likes(Map.of("GOOGLE_APPLICATION_CREDENTIALS", credentials.toString()), "--backend", "firestore"),
                "no Google Cloud project: name one with --project ID");
    }

    @Test
    @Tag("exhaustive")
    void unreachableEmulatorIsNamed() throws Exception {
        assertFails(likes(Map.of(), "--backend", "firestore", "--emulator", "127.0.0.1:1"), "127.0.0.1:1");
    }

    @Test
    void takenPortIsReported() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertFails(
                    likes(Map.of(), "--port", Integer.toString(taken.getLocalPort())),
                    "port " + taken.getLocalPort() + " is taken; choose another with --port");
        }
    }

    @Test
    void fileAsDirectoryIsNamed() throws Exception {
        Path file = Files.writeString(home.resolve("a-file"), "");
        assertFails(likes(Map.of(), "--backend", "datastore", "--data", file.toString()), "a-file");
    }

    @Test
    void dataIsKeptInAFile_whosePlaceIsPrinted() throws Exception {
        Path file = home.resolve(".local/share/counterkit/likes.db");
        Map.Entry<Integer, String> run = likes(Map.of(), "--port", "0");
        assertThat(run.getValue()).contains(" (sqlite in " + file + "; Ctrl-C ends it)");
        assertThat(file).exists();
        Path other = home.resolve("other.db");
        assertThat(likes(Map.of(), "--port", "0", "--file", other.toString()).getValue())
                .contains(" (sqlite in " + other + "; Ctrl-C ends it)");
        assertThat(other).exists();
    }

    @Test
    void dataIsKeptInADirectory_whosePlaceIsPrinted() throws Exception {
        Path directory = home.resolve(".local/share/counterkit/likes");
        assertThat(likes(Map.of(), "--port", "0", "--backend", "datastore").getValue())
                .contains(" (datastore in " + directory + "; Ctrl-C ends it)");
        assertThat(directory).isDirectory();
    }

    @Test
    void fileThatCannotBeUsed_isNamed() throws Exception {
        Path file = Files.writeString(home.resolve("a-file"), "not a database ".repeat(100));
        assertFails(likes(Map.of(), "--file", file.toString()), "the database file is damaged");
        assertFails(likes(Map.of(), "--file", file.resolve("likes.db").toString()), "a-file cannot be used");
    }

    private static void assertFails(Map.Entry<Integer, String> run, String why) {
        assertThat(run.getKey()).as(run.getValue()).isEqualTo(1);
        assertThat(run.getValue()).startsWith("likes: ").contains(why).hasLineCount(1);
        assertHasNoInternals(run.getValue());
    }

    private static void assertHasNoInternals(String output) {
        assertThat(output)
                .doesNotContain("Exception", "java.", "io.counterkit", "DATASTORE", "FIRESTORE", "MEMORY", "null")
                .doesNotContainPattern("PT\\d");
    }
}
