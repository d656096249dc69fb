package io.counterkit.cli.migrate;

import static io.counterkit.cli.console.Arguments.check;

import io.counterkit.cli.backend.BackendEnds;
import io.counterkit.cli.backend.BackendFactory.Opening;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Arguments;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Progress;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationJob;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.MigrationVerifier;
import io.counterkit.migration.Rollout;
import io.counterkit.spi.Limits;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

@Command(name = "migrate")
public final class MigrateCommand implements Callable<Integer> {
    private final Backends backends;
    private final Console console;
    private final Interrupt interrupt;

    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--from", required = true, paramLabel = "NAME", completionCandidates = Backends.class)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String from;

    @Option(names = "--to", required = true, paramLabel = "NAME", completionCandidates = Backends.class)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String to;

    @Option(names = "--origin", paramLabel = "TEXT")
    private @Nullable String origin;

    @Option(names = "--forward", paramLabel = "TEXT")
    private @Nullable String forward;

    @Option(names = "--percent", paramLabel = "N")
    private int percent = 100;

    @Option(names = "--prefix", paramLabel = "PREFIX")
    private String prefix = "";

    @Option(names = "--json")
    private boolean json;

    @Option(names = "--resume", paramLabel = "POSITION")
    private @Nullable String resume;

    @Mixin
    private MoveOptions move = new MoveOptions();

    /** Creates the command. */
    public MigrateCommand(Backends backends, Console console, Interrupt interrupt) {
        this.backends = backends;
        this.console = console;
        this.interrupt = interrupt;
    }

    /** Receives the command, and adds the options of the backends at both ends to it. */
    @Spec
    void setSpec(CommandSpec spec) {
        this.spec = spec;
        BackendEnds.addOptions(backends, spec);
    }

    @Override
    public Integer call() throws InterruptedException {
        BackendEnds ends = checkAll();
        MigrationOptions options = options();
        try (OpenBackend source = ends.from().open(Opening.SOURCE);
                OpenBackend target = ends.to().open(isReading() ? Opening.READING : Opening.BULK);
                MigratingBackend migrating = MigratingBackend.create(source.backend(), target.backend(), options)) {
            Stream.of(source, target)
                    .map(OpenBackend::notice)
                    .filter(Objects::nonNull)
                    .forEach(console::say);
            interrupt.finishing(() -> "the names in progress");
            MigrationRun run = new MigrationRun(console, interrupt, new Progress(console, System::nanoTime), json);
            return move.verify
                    ? run.verify(migrating, move.verifier(prefix), resume)
                    : run.move(migrating, move.job(prefix, target.ramp()), move.dryRun, resume);
        }
    }

    private boolean isReading() {
        return move.verify || move.dryRun;
    }

    private MigrationOptions options() {
        return MigrationOptions.builder(origin == null ? from : origin, forward == null ? to : forward)
                .rollout(Rollout.at(percent))
                .build();
    }

    private BackendEnds checkAll() {
        ParseResult parsed = spec.commandLine().getParseResult();
        BackendEnds ends = BackendEnds.choose(backends, from, to, parsed);
        check(
                !from.equals(to) || (origin != null && forward != null),
                "source and target are both '" + from + "': name them with --origin and --forward");
        check(
                !ends.areSame(parsed),
                "source and target are the same store: give them options that differ, with --from- or"
                        + " --to- in front; 'counter help " + from + "' lists the options");
        Arguments.checkPrefix(prefix);
        Limits.checkBetween("--percent", percent, 0, 100);
        if (resume != null && move.verify) {
            MigrationVerifier.checkPosition(resume);
        } else if (resume != null) {
            MigrationJob.checkPosition(resume);
        }
        move.checkAll(parsed);
        check(
                isReading() || ends.to().keeps(),
                "--to " + to + " keeps nothing after this command has ended, and a seal cannot be undone:"
                        + " choose a store that keeps its data, or use --dry-run");
        return ends;
    }
}
