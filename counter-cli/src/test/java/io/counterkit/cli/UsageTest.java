package io.counterkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.backend.InMemoryBackendFactory;
import io.counterkit.cli.console.Interrupt;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    ingst                 | unknown command 'ingst'; did you mean ingest? | counter
                    igest                 | unknown command 'igest'; did you mean ingest? | counter
                    ingset                | unknown command 'ingset'; did you mean ingest? | counter
                    tpo                   | unknown command 'tpo'; did you mean top? | counter
                    inc a                 | unknown command 'inc'; did you mean add? | counter
                    indigo                | unknown command 'indigo' | counter
                    get a --jsno          | unknown option '--jsno'; did you mean --json? | counter get
                    get a -json           | unknown option '-json'; did you mean --json? | counter get
                    get a --son           | unknown option '--son'; did you mean --json? | counter get
                    --loud                | unknown option '--loud': options come after the command | counter
                    ingest --loud         | unknown option '--loud'                    | counter ingest
                    ingest a b            | unknown argument 'b'                       | counter ingest
                    ingest --backend x    | there is no backend 'x': choose one of inmemory | counter ingest
                    ingest /no/such/file  | there is no file '/no/such/file'           | counter ingest
                    ingest --top=-1       | --top -1: use 0 or more                    | counter ingest
                    ingest --in-flight 0  | --in-flight 0: use 1 or more               | counter ingest
                    get                   | NAME is missing         | counter get
                    add                   | NAME is missing         | counter add
                    add --tokn T          | unknown option '--tokn'; did you mean --token? | counter add
                    add a --tokn T        | unknown option '--tokn'; did you mean --token? | counter add
                    ingst --help          | unknown command 'ingst'; did you mean ingest? | counter
                    erase a x             | NUMBER: 'x' is not a whole number          | counter erase
                    erase a 99999999999999999999 | NUMBER: '99999999999999999999' is too large: use at most 9223372036854775807 | counter erase
                    add a --loud          | unknown option '--loud'                    | counter add
                    add a five            | delta 'five' is not a whole number within ±2^53 | counter add
                    add a 1.5             | delta '1.5' is not a whole number within ±2^53 | counter add
                    add a 9007199254740993 | delta 9007199254740993 is outside ±2^53 (9007199254740992): add it in several steps | counter add
                    add a -9007199254740993 | delta -9007199254740993 is outside ±2^53 (9007199254740992): add it in several steps | counter add
                    add a 1 2             | unknown argument '2'                       | counter add
                    add a --backend x     | there is no backend 'x': choose one of inmemory | counter add
                    watch                 | NAME is missing         | counter watch
                    watch a b             | unknown argument 'b'                       | counter watch
                    watch a --every 0s    | --every 0 ms: use 1 ms to 1 day             | counter watch
                    watch a --every 25h   | --every 25 h: use 1 ms to 1 day              | counter watch
                    watch a --for 0s      | --for 0 ms: use 1 ms or more                | counter watch
                    list --limit 0        | --limit 0: use 1 or more                   | counter list
                    top -n 0              | --limit 0: use 1 to 1000                   | counter top
                    top a b               | unknown argument 'b'                       | counter top
                    import-extension a    | FIELD is missing        | counter import-extension
                    import-extension a b --for 5s | --for 5 s limits how long the import continues: give --every too | counter import-extension
                    import-extension a b --every 0s | --every 0 ms: use 1 ms to 1 day   | counter import-extension
                    import-extension a b  | backend 'inmemory' has no counters of the extension: it counts in Firestore, so use --backend firestore | counter import-extension
                    reshard a             | N is missing            | counter reshard
                    reshard a 0           | shard count 0: use 1 to 1000 | counter reshard
                    reshard a 5           | backend 'inmemory' has no shards: use --backend firestore | counter reshard
                    next a b              | unknown argument 'b'                       | counter next
                    append a b            | 'b' is not a field: use NAME=TEXT or NAME:=VALUE | counter append
                    append a =b           | '=b' is not a field: use NAME=TEXT or NAME:=VALUE | counter append
                    append a b:=c         | field 'b': 'c' is not a number, true, false, time like 2026-01-31T09:30:00Z, bytes like base64:AQID or "text"; for a plain text use b=c | counter append
                    append a b=1 b=2      | field 'b' is given twice: name each field once | counter append
                    append a --subject s  | --subject and --change go together: give both or neither | counter append
                    append a --change added | --subject and --change go together: give both or neither | counter append
                    entries a --last 0    | --last 0: use 1 or more                    | counter entries
                    entries a --from 0    | --from 0: numbers start at 1               | counter entries
                    entries a --from 7 --to 6 | --to 6: use 7 or more                  | counter entries
                    entries a --to 0      | --to 0: use 1 or more                      | counter entries
                    entries a --last 1 --to 2 | --last cannot be combined with --from and --to | counter entries
                    follow a --from 0     | --from 0: numbers start at 1               | counter follow
                    follow a --from 7 --until 6 | --until 6: use 7 or more             | counter follow
                    follow a --every 0s   | --every 0 ms: use 1 ms to 1 day             | counter follow
                    follow a --from 2 --checkpoint c | --from cannot be combined with --checkpoint, whose total sets the start: to start a new checkpoint elsewhere, first add the number before the start to its counter | counter follow
                    erase a 0             | number 0: use 1 or more                    | counter erase
                    erase a 1             | sequence 'a' has no entries: check its name; 'counter list --sequences' prints the names | counter erase
                    seal a                | --forward=ADDRESS is missing | counter seal
                    adopt a               | --kind=KIND and --number=PROPERTY are missing | counter adopt
                    soak --backend x      | there is no backend 'x': choose one of inmemory | counter soak
                    soak --faults 1       | --faults 1.0: use a probability from 0 to less than 1 | counter soak
                    soak --workers 0      | --workers 0: use 1 or more                 | counter soak
                    completion tcsh       | SHELL: 'tcsh' is not one of bash, zsh, fish | counter completion
                    help ingst            | unknown command 'ingst'; did you mean ingest? | counter
                    help nothing          | unknown command 'nothing'                  | counter
                    help inmemry          | unknown command 'inmemry'; did you mean inmemory? | counter
                    get a --backend       | --backend needs a value: NAME            | counter get
                    add a --token --backend | --token needs a value, but '--backend' is an option | counter add
                    top --limit 9 -n 9    | --limit is given twice                     | counter top
                    top -n 99999999999    | --limit: '99999999999' is too large: use at most 2147483647 | counter top
                    --backend x add a     | unknown option '--backend': options come after the command | counter
                    help add get          | unknown argument 'get'                     | counter help
                    soak --operations x   | --operations: 'x' is not a whole number | counter soak
                    soak --faults few     | --faults: 'few' is not a number | counter soak
                    soak --operations 0   | --operations 0: use 1 or more              | counter soak
                    """)
    void misuse_getsOneLineAndExitCode2(String args, String problem, String command) {
        CommandRun run = run(args.isEmpty() ? new String[0] : args.split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.errLines()).containsExactly("counter: " + problem + " (see " + command + " --help)");
    }

    @Test
    void noCommand_printsTheHelp_asAMistake() {
        CommandRun run = run();

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo(run("help").out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "soak", "help"})
    void version_isAnOptionOfTheProgramOnly(String command) {
        assertThat(run("--version").out()).startsWith("counter ");
        assertThat(run(command, "--version").err()).startsWith("counter: unknown option '--version'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "add NAME",
                "get ok NAME",
                "watch NAME",
                "reset NAME",
                "delete NAME",
                "next NAME",
                "append NAME",
                "append ok --change=added --subject NAME",
                "append ok NAME=text",
                "entries NAME",
                "follow NAME",
                "follow ok --checkpoint NAME",
                "erase NAME 1",
                "seal NAME --forward=there",
                "describe NAME",
                "list --prefix NAME",
                "top NAME",
                "reshard NAME 5"
            })
    void nameThatIsTooLong_isRefused(String command) {
        CommandRun run = run(command.replace("NAME", "x".repeat(401)).split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .contains("has 401 UTF-8 bytes: at most 400 are allowed (see counter "
                        + command.replaceAll(" .*", " --help)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"add a --token", "append a --token", "resolve"})
    void tokenThatIsTooLong_isRefused(String command) {
        CommandRun run = run((command + " " + "t".repeat(513)).split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("token 'ttt").contains("has 513 UTF-8 bytes: at most 512 are allowed");
    }

    @Test
    void soakWithoutNames_isRefused() {
        CommandRun run = run("soak", "--counters=0", "--sequences=0");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("counter: --counters 0, sequences 0: use 0 or more, and not 0 for both");
    }

    @ParameterizedTest
    @CsvSource({
        "ingest,--top,x",
        "ingest,--in-flight,1.5",
        "get a,--max-staleness,5",
        "watch a,--every,5",
        "watch a,--for,x",
        "list,--limit,all",
        "top,--limit,all",
        "entries a,--last,x",
        "append a,--change,gone"
    })
    void valueOfTheWrongType_isNamedInTheMessage(String command, String option, String value) {
        CommandRun run = run((command + " " + option + " " + value).split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().contains(option).contains("'" + value + "'");
    }

    @ParameterizedTest
    @CsvSource({"10x", "s", "-1s", "1 s"})
    void invalidDuration_isNamedInTheMessage(String duration) {
        CommandRun run = run("soak", "--duration=" + duration);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .contains("'" + duration + "' is not a duration like 500ms");
    }

    @Test
    void ingestOfADirectory_isRefused(@TempDir Path folder) throws IOException {
        CommandRun run = run("ingest", folder.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().contains("is a directory: name a file in it");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "add",
                "get",
                "watch",
                "list",
                "top",
                "reset",
                "delete",
                "next",
                "append",
                "entries",
                "erase",
                "adopt",
                "import-extension",
                "seal",
                "describe",
                "reshard",
                "check",
                "resolve",
                "ingest",
                "soak"
            })
    void help_printsTheUsage(String command) {
        CommandRun run = CommandRun.of((command + " --help").trim().split(" "));

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("Usage: counter").contains(command).contains("--help");
        assertThat(run.outLines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    /** Each of these is nearest to a command that cannot be undone. */
    @ParameterizedTest
    @ValueSource(strings = {"resett", "delet", "ersae", "seall", "migrat"})
    void suggestion_isNeverACommandThatDestroys(String command) {
        assertThat(run(command, "likes").errLines())
                .singleElement()
                .asString()
                .startsWith("counter: unknown command '" + command + "' (see");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "add", "migrate", "help"})
    void helpCommand_printsTheSameAsTheHelpOption(String command) {
        CommandRun run = CommandRun.of(("help " + command).trim().split(" "));

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .isNotEmpty()
                .isEqualTo(
                        CommandRun.of((command + " --help").trim().split(" ")).out());
    }

    @Test
    void version_printsTheVersionsOfTheCommandAndOfJava() {
        CommandRun run = run("--version");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("counter ").contains(Runtime.version().toString());
    }

    /** Runs with the in-memory backend only. */
    private static CommandRun run(String... args) {
        return CommandRun.on(
                Backends.of(new InMemoryBackendFactory()), InputStream.nullInputStream(), new Interrupt(), args);
    }
}
