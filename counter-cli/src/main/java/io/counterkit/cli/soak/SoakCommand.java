package io.counterkit.cli.soak;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.cli.backend.BackendOption;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.backend.CommitCount;
import io.counterkit.cli.backend.FaultSource;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.DurationConverter;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Progress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counter soak}. */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        header = "Changes many counters and sequences from many threads, and then checks that each is exact.",
        description = {
            "",
            "Workers add with and without tokens, append, revise and read; calls to the store can be made to fail, to"
                    + " lose their reply or to hang. Every unknown outcome is found out. Exact is a counter that holds"
                    + " the sum of what was applied, and a sequence that holds every applied append once, unchanged,"
                    + " under 1 to n. All names start with a prefix of their own, and stay in the store."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every name is exact",
            "1:something differs",
            "2:the command was not understood",
            "130:interrupted; what was done until then is checked"
        })
public final class SoakCommand implements Callable<Integer> {
    private static final Duration NO_END = Duration.ofDays(365);

    private final Backends backends;
    private final Console console;
    private final Interrupt interrupt;

    @Mixin
    private BackendOption backend = new BackendOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--workers", paramLabel = "N", description = "Threads. Default: ${DEFAULT-VALUE}.")
    private int workers = 8;

    @Option(names = "--counters", paramLabel = "N", description = "Counters. Default: ${DEFAULT-VALUE}.")
    private int counters = 50;

    @Option(names = "--sequences", paramLabel = "N", description = "Sequences. Default: ${DEFAULT-VALUE}.")
    private int sequences = 5;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "End after so long, like 500ms, 10s, 5m or 2h.")
    private @Nullable Duration duration;

    @Option(
            names = "--operations",
            paramLabel = "N",
            description = "End after so many operations, of which a backend in memory keeps about 3 million a GB."
                    + " Default, if no end is given: 10s or 1,000,000 operations.")
    private @Nullable Long operations;

    @Option(
            names = "--faults",
            paramLabel = "P",
            description = "Disturb each call to the store with this probability, where the backend can. Default: 0.")
    private double faults;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Start the random numbers from this one. Default: a random one, which is printed.")
    private @Nullable Long seed;

    @Option(names = "--json", description = "Print the result as one line of JSON.")
    private boolean json;

    /** The command on these streams, with a choice of these backends. */
    public SoakCommand(Backends backends, Console console, Interrupt interrupt) {
        this.backends = backends;
        this.console = console;
        this.interrupt = interrupt;
    }

    @Override
    public Integer call() throws InterruptedException {
        SoakPlan plan = plan();
        try (OpenBackend open = backend.open(backends, spec, console)) {
            return soak(plan, open);
        }
    }

    private int soak(SoakPlan plan, OpenBackend open) throws InterruptedException {
        FaultSource source = plan.faults() == 0 ? null : open.faults();
        if (source == null && plan.faults() != 0) {
            throw usage("--faults " + faults + ": backend '" + open.name() + "' cannot be disturbed");
        }
        String prefix = "soak-" + Long.toHexString(new SecureRandom().nextLong());
        console.err().println("counter: seed " + plan.seed() + ", names start with " + prefix);
        interrupt.finishing(() -> "the operations that were begun, and the check of every name");
        Progress progress = new Progress(console, System::nanoTime);
        CommitCount commits = new CommitCount();
        CountersOptions options = CountersOptions.builder().listener(commits).build();
        try (Counters store = Counters.over(open.backend(), options)) {
            SoakSummary summary = new Soak(plan, store, commits, source, prefix, interrupt, progress).run();
            summary.print(console, json);
            return summary.interrupted() ? Interrupt.EXIT_CODE : summary.isExact() ? 0 : 1;
        }
    }

    private SoakPlan plan() {
        boolean noEnd = duration == null && operations == null;
        try {
            return new SoakPlan(
                    workers,
                    counters,
                    sequences,
                    duration != null ? duration : noEnd ? Duration.ofSeconds(10) : NO_END,
                    operations != null ? operations : noEnd ? 1_000_000 : Long.MAX_VALUE,
                    faults,
                    seed == null ? new SecureRandom().nextInt(Integer.MAX_VALUE) : seed);
        } catch (IllegalArgumentException e) {
            throw usage(e.getMessage());
        }
    }

    private ParameterException usage(@Nullable String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
