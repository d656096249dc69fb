package io.counterkit.cli.migrate;

import io.counterkit.Counters;
import io.counterkit.NamePage;
import io.counterkit.cli.backend.BackendEnds;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.backend.Retries;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.Rollout;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counter migrate}. */
@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        header = "Moves counters and sequences from one store to another, while applications run.",
        description = {
            "",
            "A name is sealed at the source, for good, and goes on at the target with the same total or last number."
                    + " Whoever runs with this migration in its configuration goes there at once; whoever still has the"
                    + " source alone is refused with the address of the target. Killed or interrupted, it can be run"
                    + " again, also in several processes at once."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all was moved, or with --verify: nothing differs",
            "1:some name was not, or something differs; or a store could not be reached",
            "2:the command was not understood",
            "130:interrupted; what was moved until then is moved"
        })
public final class MigrateCommand implements Callable<Integer> {
    /** Longer than anybody waits. */
    static final Duration WITHOUT_END = Duration.ofDays(1000);

    private final BackendEnds ends;
    private final Console console;
    private final Interrupt interrupt;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--from", required = true, paramLabel = "NAME", description = "The source, see below.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String from;

    @Option(names = "--to", required = true, paramLabel = "NAME", description = "The target, see below.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String to;

    @Option(
            names = "--origin",
            paramLabel = "TEXT",
            description = "What the source is called at the target. The same in every process of a migration. Default:"
                    + " what --from says.")
    private @Nullable String origin;

    @Option(
            names = "--forward",
            paramLabel = "TEXT",
            description = "What the seals at the source name as the target. The same in every process of a migration."
                    + " Default: what --to says.")
    private @Nullable String forward;

    @Option(
            names = "--percent",
            paramLabel = "N",
            description = "Only this part of the names, those whose turn an application with the same percentage says"
                    + " it is. Default: ${DEFAULT-VALUE}.")
    private int percent = 100;

    @Option(names = "--prefix", paramLabel = "PREFIX", description = "Only names that start with this.")
    private String prefix = "";

    @Option(names = "--verify", description = "Move nothing: compare both sides, and name each difference.")
    private boolean verify;

    @Option(names = "--json", description = "Print the report as one line of JSON.")
    private boolean json;

    @Option(
            names = "--resume",
            paramLabel = "POSITION",
            description = "Go on where an interrupted run has stopped, as it said. Without, it begins with the first"
                    + " name, and finds what was moved.")
    private @Nullable String resume;

    @Mixin
    private MoveOptions move = new MoveOptions();

    @Mixin
    private CompareOptions compare = new CompareOptions();

    /** The command on these streams, with a choice of these backends. */
    public MigrateCommand(Backends backends, Console console, Interrupt interrupt) {
        this.ends = new BackendEnds(backends);
        this.console = console;
        this.interrupt = interrupt;
    }

    /** Adds the options of the backends at both ends; called once, before the command is. */
    public void addOptions() {
        ends.addTo(spec);
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            check();
            try (OpenBackend source = ends.openFrom(from);
                    OpenBackend target = ends.openTo(to);
                    MigratingBackend migrating =
                            MigratingBackend.create(source.backend(), target.backend(), options())) {
                source.tell(console);
                target.tell(console);
                interrupt.finishing(() -> "the names that were begun");
                return verify
                        ? new VerificationRun(console, interrupt, json)
                                .run(migrating, compare.options(prefix, move.copiesEntries()), resume)
                        : new MoveRun(console, interrupt, json, move.isDryRun())
                                .run(migrating, move.options(prefix, target.ramp()), names(migrating), resume);
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** How many names there are, for the sake of a person who watches; 0 where there is none. */
    private long names(MigratingBackend migrating) {
        if (console.columns() == 0) {
            return 0;
        }
        Counters source = Counters.over(migrating.source()); // not closed: the backend is not its own
        return count(cursor -> source.counterNames(prefix, cursor, Limits.MAX_PAGE))
                + count(cursor -> source.sequenceNames(prefix, cursor, Limits.MAX_PAGE));
    }

    private static long count(Function<@Nullable String, NamePage> pages) {
        long count = 0;
        String cursor = null;
        do {
            String at = cursor;
            NamePage page = Retries.reading(() -> pages.apply(at));
            count += page.names().size();
            cursor = page.next();
        } while (cursor != null);
        return count;
    }

    private MigrationOptions options() {
        return MigrationOptions.builder(origin == null ? from : origin, forward == null ? to : forward)
                .rollout(Rollout.at(percent))
                .build();
    }

    private void check() {
        ends.check(from, to, spec);
        if (from.equals(to) && (origin == null || forward == null)) {
            throw new IllegalArgumentException(
                    "both ends are '" + from + "': give them names with --origin and --forward");
        }
        if (!prefix.isEmpty()) {
            Limits.checkName("prefix", prefix);
        }
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("--percent " + percent + ": use 0 to 100");
        }
        move.check(verify, spec);
        compare.check(verify, spec);
        if (!verify && !move.isDryRun() && !ends.keepsTo(to)) {
            throw new IllegalArgumentException("--to " + to + " would forget everything at the end of this command, and"
                    + " a seal cannot be undone: name a store that stays, or try it with --dry-run");
        }
    }
}
