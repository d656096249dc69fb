package io.counterkit.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.cli.console.Json;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that are typed into a shell, to a process of its own, in locales that have UTF-8 and in others. */
@Timeout(300)
@Tag("exhaustive")
class LocaleTest {
    /** The name that the user types. */
    private static final String NAME = "ünï/日本 𝄞?";

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    private Path folder;

    @Test
    void everyArgument_arrivesAsItWasTyped() throws Exception {
        String locale = "C.UTF-8";
        Run run = java(
                locale, "append", NAME, "feld-é=wert-ß", "--token=jé", "--subject=sübjekt", "--change=added", "--json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("\"sequence\":" + Json.quoted(NAME))
                .contains("\"feld-é\":\"wert-ß\"")
                .contains("\"subject\":\"sübjekt\"");
        Run shown = java(locale, "resolve", "jé", "--json");
        assertThat(shown.out()).contains("\"token\":\"jé\"");
        assertThat(java(locale, "get", NAME, "b").out()).contains("0  " + NAME);
        assertThat(java(locale, "list", "--prefix", NAME, "--backend=ü").err()).contains("no backend 'ü'");
    }

    /** In these locales Java decodes the bytes as other letters, or replaces them by question marks. */
    @ParameterizedTest
    @CsvSource({"C, ü", "POSIX, ü", "en_US.ISO-8859-1, ü", "no_SUCH, ü", "C, wh?t"})
    void argumentThatMayHaveLostCharacters_isRefused(String locale, String name) throws Exception {
        Run run = java(locale, "add", name);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("counter: argument '").contains("use a locale with UTF-8", "LC_ALL=C.UTF-8");
        assertThat(java(locale, "get", "plain").out()).isEqualTo("0\n");
    }

    @Test
    void bytesThatAreNotUtf8_areRefused() throws Exception {
        Run run = shell("C.UTF-8", "exec " + command() + " add a --token \"$(printf 'b\\374c')\"");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo("counter: argument 'b\ufffdc' is not UTF-8 (see counter --help)\n");
    }

    @Test
    void atSignAndAFileName_isAName() throws Exception {
        Path file = Files.writeString(folder.resolve("words"), "other");
        assertThat(java("C.UTF-8", "get", "@" + file, "@@b").out())
                .contains("  @" + file + "\n")
                .contains("  @@b\n");
    }

    @Test
    void fileThatTheLocaleCannotName_isRefused() throws Exception {
        Path data = folder.resolve("dätä");
        for (List<String> words : List.of(
                List.of("add", "a", "--backend=datastore", "--data", data.toString()),
                List.of("ingest", data.toString()))) {
            Run run = java("C", words.toArray(String[]::new));
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err())
                    .contains(" may lose characters in the encoding of this locale")
                    .contains("use a locale with UTF-8");
        }
        assertThat(folder).isEmptyDirectory();
    }

    /** Runs the real script, in a directory whose name the locale C cannot encode. */
    @ParameterizedTest
    @ValueSource(strings = {"C", "POSIX", "C.UTF-8", "no_SUCH"})
    void script_namesFilesToo(String locale) throws Exception {
        Path home = scriptHome();
        String script = "exec bash '" + home + "/counter'";

        Run run = shell(locale, script + words("add", NAME, "2", "--backend", "datastore", "--data", home + "/dätä"));

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("added 2 to '" + NAME + "'\n");
        assertThat(home.resolve("dätä")).isDirectory();
        assertThat(shell(locale, script + words("list", "--backend", "datastore", "--data", home + "/dätä"))
                        .out())
                .isEqualTo(NAME + "\n");
    }

    /** Java itself would take the home directory from the user database, and read a file of its own as the input. */
    @Test
    void script_usesTheHomeOfTheEnvironment_andReadsNothingFromAClosedInput() throws Exception {
        Path home = scriptHome();
        String script = "unset COUNTERKIT_HOME COUNTERKIT_BACKEND XDG_DATA_HOME XDG_CACHE_HOME; export HOME='" + home
                + "'; exec bash '" + home + "/counter'";

        Run run = shell("C.UTF-8", script + words("ingest", "-") + " <&-");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("0 lines ");
        assertThat(home.resolve(".local/share/counterkit/counters.db")).isRegularFile();
    }

    /** Returns a directory with the real script, and a jar that starts the tested classes. */
    private Path scriptHome() throws IOException {
        Path home = Files.createDirectory(folder.resolve("zü Hause"));
        Files.copy(Path.of("..", "counter"), home.resolve("counter"));
        Files.copy(Path.of("..", "launch.sh"), home.resolve("launch.sh"));
        Files.createDirectories(home.resolve("counter-cli/src/main"));
        Files.createDirectories(home.resolve("counter-cli/target"));
        Files.writeString(home.resolve("pom.xml"), "");
        Files.writeString(home.resolve("counter-cli/pom.xml"), "");
        Path jar = home.resolve("counter-cli/target/counter.jar");
        writeJar(jar);
        FileTime later = FileTime.from(Instant.now().plus(Duration.ofHours(1)));
        Files.setLastModifiedTime(jar, later);
        // An empty archive of classes, so that the script does not spend seconds on making one.
        String java = System.getProperty("java.runtime.version");
        Path archive = Files.createFile(home.resolve("counter-cli/target/counter-" + java + ".jsa"));
        Files.setLastModifiedTime(archive, later);
        return home;
    }

    private static void writeJar(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "io.counterkit.cli.Main");
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                                .map(entry -> Path.of(entry).toUri().toString())
                                .collect(Collectors.joining(" ")));
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    }

    private static Run java(String locale, String... words) throws IOException, InterruptedException {
        return shell(locale, "exec " + command() + words(words));
    }

    private static String command() {
        return "'" + JAVA + "' -cp '" + System.getProperty("java.class.path") + "' io.counterkit.cli.Main";
    }

    private static String words(String... words) {
        return Arrays.stream(words).map(word -> " '" + word + "'").collect(Collectors.joining());
    }

    /** Passes the script in a file, so that the locale of this JVM does not matter. */
    private static Run shell(String locale, String script) throws IOException, InterruptedException {
        Path file = Files.createTempFile("words", ".sh");
        Path err = Files.createTempFile("words", ".err");
        try {
            Files.writeString(file, script);
            ProcessBuilder builder = new ProcessBuilder("sh", file.toString()).redirectError(err.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.startsWith("LANG"));
            builder.environment().putAll(Map.of("LC_ALL", locale, "JAVA_HOME", System.getProperty("java.home")));
            Process process = builder.start();
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new Run(process.waitFor(), out, Files.readString(err));
        } finally {
            Files.delete(file);
            Files.delete(err);
        }
    }

    private record Run(int exitCode, String out, String err) {}
}
