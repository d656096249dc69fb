package io.counterkit.cli.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.cli.CommandRun;
import io.counterkit.cli.JavaCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command on a SQLite file. */
class SqliteCommandsTest extends StoreCommands {
    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("counts.db");
    }

    @Override
    Stream<String> backend() {
        return backend(file());
    }

    private static Stream<String> backend(Path file) {
        return Stream.of("--backend", "sqlite", "--file", file.toString());
    }

    private static CommandRun run(Path file, String command) {
        return CommandRun.of(
                Stream.concat(Arrays.stream(command.split(" ")), backend(file)).toArray(String[]::new));
    }

    @Test
    void topAndDescribe_showACounter() {
        ok("add likes 6");
        assertThat(ok("top")).contains("likes");
        assertThat(ok("describe likes")).contains("6");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import-extension pages visits",
                "reshard likes 5",
                "adopt orders --kind Order --number number",
                "migrate --from sqlite --from-file SOURCE --to sqlite --to-file FILE --origin a --forward b --share 5/4",
                "migrate --from sqlite --from-file SOURCE --to sqlite --to-file FILE --origin a --forward LONG"
            })
    void refusedCommand_createsNoFile(String command) {
        ok("add likes");
        Path absent = directory.resolve("absent.db");
        String words = command.replace("SOURCE", file().toString())
                .replace("FILE", absent.toString())
                .replace("LONG", "x".repeat(2_000));
        CommandRun run = command.startsWith("migrate") ? CommandRun.of(words.split(" ")) : run(absent, words);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(absent).doesNotExist();
    }

    @Test
    void sealedSequence_refusesEntries() {
        ok("next invoices");
        assertThat(ok("seal invoices --sequence --forward elsewhere")).contains("elsewhere");
        assertThat(run("next invoices").exitCode()).isEqualTo(1);
    }

    @Test
    void ingestIsExact() {
        assertThat(ok("ingest --access-log ../samples/access.log")).contains("exact: 137 of 137");
        assertThat(ok("get /")).isEqualTo("337\n");
    }

    @Test
    void firstChange_createsTheFile_andPrintsWhere() {
        assertThat(run("add likes").errLines()).containsExactly("counter: the counters are kept in " + file());
        assertThat(file()).exists();
        assertThat(run("add likes").err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--faults 0.1", "--faults 2", "--workers 0", "--counters 0 --sequences 0", "--operations 0"})
    void soakThatIsRefused_createsNothing(String options) throws IOException {
        CommandRun run = run("soak " + options);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--" + options.substring(2, options.indexOf(' ')) + " ");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"get likes", "list", "top", "entries invoices", "describe likes", "list --sequences"})
    void reading_createsNothing_andSaysThatThereIsNoFile(String command) throws IOException {
        CommandRun run = run(command);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.errLines())
                .containsExactly("counter: there is no file " + file() + " yet, so it has no counters");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void eraseInAFileThatDoesNotExist_createsNothing() {
        CommandRun run = run("erase invoices 1");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("there is no file " + file(), "sequence 'invoices' has no entries");
        assertThat(file()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"get likes", "list", "add likes"})
    void fileThatCannotBeLookedFor_isNotTakenForAnAbsentOne(String command) throws IOException {
        Files.writeString(file(), "no directory");

        CommandRun run = run(file().resolve("counts.db"), command);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("cannot be used: ");
    }

    @Test
    void namesMoveFromOneFileToAnother() throws IOException {
        Path target = directory.resolve("target.db");
        ok("add likes 41");
        ok("append orders n:=1");
        String[] migrate = {
            "migrate",
            "--from",
            "sqlite",
            "--from-file",
            file().toString(),
            "--to",
            "sqlite",
            "--to-file",
            target.toString(),
            "--origin",
            "old",
            "--forward",
            "new",
            "--copy-entries"
        };

        CommandRun dryRun = CommandRun.of(with(migrate, "--dry-run"));
        assertThat(dryRun.exitCode()).as(dryRun.err()).isZero();
        assertThat(target).doesNotExist();
        CommandRun resumed = CommandRun.of(with(migrate, "--resume", "counters:%zz:"));
        assertThat(resumed.exitCode()).isEqualTo(2);
        assertThat(resumed.err()).startsWith("counter: 'counters:%zz:' is not a position of this version");
        assertThat(target).doesNotExist();
        CommandRun moved = CommandRun.of(migrate);
        assertThat(moved.exitCode()).as(moved.err()).isZero();
        assertThat(moved.out()).contains("moved 2 names and 1 entry in");

        assertThat(run("add likes").err()).contains("continues at 'new'");
        assertThat(run(target, "get likes").out()).isEqualTo("41\n");
        assertThat(run(target, "next orders").out()).isEqualTo("2\n");
        assertThat(CommandRun.of(with(migrate, "--verify")).exitCode()).isZero();
    }

    private static String[] with(String[] words, String... more) {
        return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
    }

    @Test
    void absentSourceOfAMigration_isRefused() {
        CommandRun run = CommandRun.of(
                "migrate",
                "--from",
                "sqlite",
                "--file",
                file().toString(),
                "--to",
                "datastore",
                "--data",
                directory.resolve("data").toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .containsExactly("counter: there is no file " + file()
                        + ": name another with --file (see counter migrate --help)");
        assertThat(file()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"get likes", "add likes"})
    void fileThatIsNoDatabase_isRefused(String command) throws IOException {
        Files.writeString(file(), "This is a text, and no database at all. ".repeat(50));

        assertRefused(run(command), "it is not a SQLite database: name another file");
        assertThat(file()).content().startsWith("This is a text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"get likes", "add likes"})
    void databaseOfAnotherProgram_isRefused(String command) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE songs (title TEXT)");
        }

        assertRefused(run(command), "it has tables of another program, and none of CounterKit");
    }

    @Test
    void directoryAndMissingDirectory_areRefused() {
        assertRefused(run(directory, "get likes"), "it is a directory");
        Path absent = directory.resolve("absent");
        assertRefused(run(absent.resolve("counts.db"), "add likes"), "there is no directory " + absent);
    }

    /** Root may write everything, so that this runs as another user only. */
    @Test
    void readOnlyFile_isRefused() {
        ok("add likes");
        assertThat(file().toFile().setWritable(false)).isTrue();
        if (!Files.isWritable(file())) {
            assertRefused(run("add likes"), "you may not read and write it");
        }
    }

    private static void assertRefused(CommandRun run, String why) {
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().contains("counter: --file ", "cannot be used", why);
    }

    @Test
    void processesThatWriteOneFileAtOnce_areExact() throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            processes.add(new ProcessBuilder(JavaCommand.counter(words("ingest -")))
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("out" + i).toFile())
                    .start());
        }
        for (Process process : processes) {
            try (var input = process.getOutputStream()) {
                input.write("likes\nviews\t3\n".repeat(2_000).getBytes(StandardCharsets.UTF_8));
            }
        }
        for (int i = 0; i < 2; i++) {
            int exitCode = processes.get(i).waitFor();
            // 1 states that the other process has added to the same names.
            assertThat(exitCode)
                    .as(Files.readString(directory.resolve("out" + i)))
                    .isBetween(0, 1);
        }
        assertThat(ok("get likes views")).contains("4000").contains("12000");
    }
}
