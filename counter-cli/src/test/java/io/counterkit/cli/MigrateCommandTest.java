package io.counterkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.backend.InMemoryBackendFactory;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigrateCommandTest {
    private static final String[] OLD_TO_NEW = {"--from", "old", "--to", "new"};

    private final InMemoryStore source = InMemoryStore.create();
    private final InMemoryStore target = InMemoryStore.create();
    private final Counters before = Counters.over(InMemoryBackend.over(source));
    private final Counters after = Counters.over(InMemoryBackend.over(target));
    private final Interrupt interrupt = new Interrupt();

    private Backends backends() {
        // Only one of the two has the option --shelf, so that it may be given without --from- or --to-.
        return Backends.of(
                new MemoryBackend("old", source), new ShelflessBackend("new", target), new InMemoryBackendFactory());
    }

    private CommandRun run(String... options) {
        return CommandRun.on(backends(), InputStream.nullInputStream(), interrupt, words(options));
    }

    private static String[] words(String... options) {
        return Stream.of(Stream.of("migrate"), Stream.of(OLD_TO_NEW), Stream.of(options))
                .flatMap(words -> words)
                .toArray(String[]::new);
    }

    private void fill() {
        for (int i = 0; i < 5; i++) {
            before.counter("c" + i).add(i);
        }
        for (int i = 1; i <= 7; i++) {
            before.sequence("s").append(Map.of("i", (long) i));
        }
    }

    @Test
    void migrate_movesAllNamesAndPrintsHowMany() {
        fill();

        CommandRun run = run();

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.outLines().get(1)).matches("counters +5 +0 +0 +0");
        assertThat(run.outLines().get(2)).matches("sequences +1 +0 +0 +0");
        assertThat(run.out())
                .contains("7 entries stay in the source and can be read there; --copy-entries copies them")
                .contains("moved 6 names and 0 entries in");
        assertThat(after.counter("c4").get()).isEqualTo(4);
        assertThat(after.sequence("s").next()).isEqualTo(8);
        assertThat(before.sequence("s").tail().seal().forward()).isEqualTo("new");
    }

    @Test
    void copyEntries_copiesEntriesOnce() {
        fill();
        assertThat(run("--copy-entries").out()).contains("moved 6 names and 7 entries in");

        CommandRun run = run("--copy-entries", "--json");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("\"counters\":{\"moved\":0,\"movedBefore\":5,\"excluded\":0,\"failed\":0}")
                .contains("\"entriesCopied\":0,\"entriesCopiedBefore\":7,\"entriesLeft\":0")
                .contains("\"failures\":[]", "\"interrupted\":false,\"next\":null");
        assertThat(after.sequence("s").read(1, 7))
                .isEqualTo(before.sequence("s").read(1, 7));
    }

    @Test
    void dryRun_changesNothing() {
        fill();

        CommandRun run = run("--dry-run", "--copy-entries");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("to move").contains("nothing was changed");
        assertThat(target.dump().counters()).isEmpty();
        assertThat(before.sequence("s").next()).isEqualTo(8);
    }

    @Test
    void percent0_movesNothingYet() {
        fill();

        CommandRun run = run("--percent", "0", "--json");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("\"counters\":{\"moved\":0,\"movedBefore\":0,\"excluded\":5,\"failed\":0}");
    }

    @Test
    void nameThatFails_isPrintedWithItsReason() {
        fill();
        after.counter("c3").add(1);

        CommandRun run = run();

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .startsWith("counter: counter 'c3' failed: move of 'c3': the target holds something");
        assertThat(run("--json").out()).contains("\"failures\":[{\"kind\":\"counter\",\"name\":\"c3\",\"reason\":");
    }

    @Test
    void verify_printsEachDifference() {
        fill();
        run("--copy-entries");

        CommandRun same = run("--verify", "--copy-entries", "--all-entries", "--quiet-target");
        assertThat(same.exitCode()).as(same.out()).isZero();
        assertThat(same.out())
                .startsWith("compared 5 counters, 1 sequence and 7 entries in ")
                .endsWith("nothing differs\n");

        after.counter("c2").increment();
        CommandRun other = run("--verify", "--quiet-target");
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.out())
                .contains("counter 'c2': the target began with 2 and holds 3\n")
                .endsWith("1 difference\n");
        assertThat(run("--verify", "--quiet-target", "--json").out())
                .contains("\"same\":false", "\"differing\":1")
                .contains("{\"kind\":\"counter\",\"name\":\"c2\",\"what\":\"the target began with 2 and holds 3\"}");
    }

    @Test
    void interruptedMigration_printsThePositionToResumeAt() {
        fill();
        interrupt.request();

        CommandRun run = run();

        assertThat(run.exitCode()).isEqualTo(Interrupt.EXIT_CODE);
        assertThat(run.err()).contains("interrupted; run it again, or resume here with --resume 'counters::'");
        CommandRun resumed = CommandRun.on(
                backends(), InputStream.nullInputStream(), new Interrupt(), words("--resume", "sequences::"));
        assertThat(resumed.exitCode()).isZero();
        assertThat(resumed.out()).contains("moved 1 name and");
    }

    @Test
    void migrate_onATerminal_showsABar() {
        fill();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console terminal = new Console(
                InputStream.nullInputStream(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                80);

        // Slow enough for the progress to be drawn.
        int exitCode = Main.run(backends(), terminal, interrupt, words("--rate", "8"));

        assertThat(exitCode).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(" names  ", " entries  ")
                .endsWith("\r\u001b[K");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    --from old                         | --to=NAME is missing
                    --from x --to new                  | there is no backend 'x': choose one of inmemory, new, old
                    --from old --to x                  | there is no backend 'x': choose one of inmemory, new, old
                    --from new --to inmemory --shelf a | --shelf is an option of backend 'old', which is neither source nor target: omit it
                    --from old --to new --to-shelf a   | --to-shelf is an option of backend 'old', which is not the target: omit it
                    --from old --to old                | source and target are both 'old': name them with --origin and --forward
                    --from old --to old --origin a --forward b | source and target are the same store: give them options that differ, with --from- or --to- in front; 'counter help old' lists the options
                    --from old --to old --shelf a      | --shelf can mean source or target: use --from-shelf or --to-shelf
                    --from old --to new --shelf a --from-shelf b | --shelf and --from-shelf are the same: use one of them
                    --from old --to new --shelf none   | --shelf none: there is none
                    --from old --to new --percent 101  | --percent 101: use 0 to 100
                    --from old --to new --rate 0       | --rate 0.0: use more than 0
                    --from old --to new --in-flight 0  | --in-flight 0: use 1 to 100
                    --from old --to new --share 3      | --share 3: use 1/4, 2/4 and so on
                    --from old --to new --share 3/2    | share 3 of 2: use 1 of 1, or 1 to 4 of 4, and so on
                    --from old --to new --resume there | 'there' is not a position of this version: start without a position
                    --from old --to new --samples 3    | --samples needs --verify: add it, or omit --samples
                    --from old --to new --verify --samples 3 --all-entries | --samples cannot be combined with --all-entries
                    --from old --to new --verify --dry-run | --dry-run cannot be combined with --verify, which moves nothing
                    --from old --to inmemory           | --to inmemory keeps nothing after this command has ended, and a seal cannot be undone: choose a store that keeps its data, or use --dry-run
                    """)
    void misuse_getsOneLine(String options, String problem) {
        fill();

        CommandRun run = CommandRun.on(
                backends(),
                InputStream.nullInputStream(),
                interrupt,
                Stream.concat(Stream.of("migrate"), Stream.of(options.split(" ")))
                        .toArray(String[]::new));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.errLines()).containsExactly("counter: " + problem + " (see counter migrate --help)");
        assertThat(before.sequence("s").tail().seal()).as("nothing was sealed").isNull();
    }

    @Test
    void sameBackendAtBothEnds_takesOptionsWithFromAndTo() {
        fill();
        Backends both = Backends.of(new MemoryBackend("old", source));

        CommandRun run = CommandRun.on(
                both,
                InputStream.nullInputStream(),
                interrupt,
                "migrate --from old --to old --origin a --forward b --from-shelf x --to-shelf lost".split(" "));

        assertThat(run.errLines()).singleElement().asString().contains("keeps nothing after this command has ended");
    }

    @Test
    void help_showsTheOptionsOfTheBackendsOnce() {
        String help = CommandRun.on(backends(), InputStream.nullInputStream(), interrupt, "help", "old")
                .out();

        assertThat(help).containsOnlyOnce("--shelf=SHELF").doesNotContain("--to-shelf=", "--from-shelf=");
        assertThat(run("--help").out()).contains("--to-").doesNotContain("--shelf");
    }

    private record ShelflessBackend(String name, InMemoryStore store) implements BackendFactory {
        @Override
        public String description() {
            return "in the memory of a test";
        }

        @Override
        public OpenBackend open(Opening opening) {
            return () -> InMemoryBackend.over(store);
        }
    }
}
