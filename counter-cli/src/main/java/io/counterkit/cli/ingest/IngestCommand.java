package io.counterkit.cli.ingest;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.RampUpLimiter;
import io.counterkit.cli.backend.BackendOption;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.backend.CommitCount;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.backend.Retries;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Progress;
import io.counterkit.spi.CounterBackend;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counter ingest}. */
@Command(
        name = "ingest",
        mixinStandardHelpOptions = true,
        header = "Counts the events of a stream, one a line: a name, or a name, a tab and a number to add.",
        description = {
            "",
            "Every line becomes one add, applied exactly once. Lines are UTF-8 and end with LF or CR LF; empty ones are"
                    + " skipped. A malformed line is reported with its number, and the rest is counted."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every line was counted",
            "1:some line was not, or a total in the store is not what was added",
            "2:the command was not understood, or the file cannot be read",
            "130:interrupted; what was read until then is counted"
        })
public final class IngestCommand implements Callable<Integer> {
    /** So many writes are done within some seconds at the foot of a ramp, long before an add has waited too long. */
    private static final int RAMPED = 2_500;

    /** An add with a name of 400 bytes, as the queue counts it. */
    private static final long LARGEST_ADD_BYTES = 2048;

    private final Backends backends;
    private final Console console;
    private final Interrupt interrupt;

    @Mixin
    private BackendOption backend = new BackendOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "What to read; - or nothing is the standard input.")
    private String file = "-";

    @Option(
            names = "--access-log",
            description = "Lines are those of a web server's log in the common or combined format; counted are the"
                    + " paths of the requests, as they stand there, without query.")
    private boolean accessLog;

    @Option(names = "--top", paramLabel = "N", description = "Show the N largest totals. Default: ${DEFAULT-VALUE}.")
    private int top = 10;

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            description = "At most N adds are on their way at once. Default: ${DEFAULT-VALUE}.")
    private int inFlight = 10_000;

    @Option(
            names = "--ramp",
            negatable = true,
            description = "Begin with 500 writes a second, and go up by half every 5 minutes, as Firestore asks of bulk"
                    + " work; or do not. Default: on a real Firestore only.")
    private @Nullable Boolean ramp;

    @Option(names = "--json", description = "Print the result as one line of JSON.")
    private boolean json;

    /** The command on these streams, with a choice of these backends. */
    public IngestCommand(Backends backends, Console console, Interrupt interrupt) {
        this.backends = backends;
        this.console = console;
        this.interrupt = interrupt;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        if (top < 0 || inFlight < 1) {
            throw usage(top < 0 ? "--top " + top + ": use 0 or more" : "--in-flight " + inFlight + ": use 1 or more");
        }
        CommitCount commits = new CommitCount();
        IngestReport report;
        try (Source source = open();
                OpenBackend store = backend.open(backends, spec, console);
                Counters counters = Counters.over(
                        ramped(store),
                        CountersOptions.builder()
                                .queueLimit(inFlight)
                                .queueBytes(
                                        Math.max(CountersOptions.defaults().queueBytes(), inFlight * LARGEST_ADD_BYTES))
                                .listener(commits)
                                .build())) {
            backend.tellIfNothingIsKept(backends, spec, console);
            report = ingest(source, counters, commits, isRamped(store) ? Math.min(inFlight, RAMPED) : inFlight);
            interrupt.finishing(() -> "the saving of what was counted");
        }
        // Not before the store is closed: some write only then.
        report.print(console, json);
        boolean clean = report.summary().isClean() && report.totals().problems().isEmpty();
        return report.summary().interrupted() ? Interrupt.EXIT_CODE : clean ? 0 : 1;
    }

    private boolean isRamped(OpenBackend store) {
        return ramp == null ? store.ramp() != null : ramp;
    }

    private CounterBackend ramped(OpenBackend store) {
        RampUpLimiter asked = store.ramp() == null ? RampUpLimiter.recommended() : store.ramp();
        return isRamped(store) ? new RampedBackend(store.backend(), asked) : store.backend();
    }

    private Source open() {
        try {
            return Source.open(file, console.in());
        } catch (IOException | IllegalArgumentException e) {
            throw usage(e.getMessage());
        }
    }

    private IngestReport ingest(Source source, Counters counters, CommitCount commits, int limit)
            throws InterruptedException {
        boolean empty = Retries.reading(() -> counters.counterNames("", null, 1))
                .names()
                .isEmpty();
        Progress progress = new Progress(console, System::nanoTime);
        LineFormat format = accessLog ? new AccessLogFormat() : new PlainFormat();
        IngestSummary summary = new Ingest(source, format, counters, limit, interrupt, progress).run();
        interrupt.finishing(() -> "the reading of the totals");
        Totals totals = Totals.read(counters, summary.tallies(), top, empty, progress);
        progress.clear();
        return new IngestReport(summary, commits, totals);
    }

    private ParameterException usage(@Nullable String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
