package io.counterkit.cli;

import static io.counterkit.cli.console.Arguments.check;

import io.counterkit.cli.backend.BackendFactory.Opening;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Json;
import io.counterkit.cli.console.Progress;
import io.counterkit.soak.FaultSource;
import io.counterkit.soak.Soak;
import io.counterkit.soak.SoakOptions;
import io.counterkit.soak.SoakReport;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "soak")
final class SoakCommand implements Callable<Integer> {
    private static final Duration NO_END = Duration.ofDays(365);

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandContext context;

    @Option(names = "--workers", paramLabel = "N")
    private int workers = 8;

    @Option(names = "--counters", paramLabel = "N")
    private int counters = 50;

    @Option(names = "--sequences", paramLabel = "N")
    private int sequences = 5;

    @Option(names = "--duration", paramLabel = "TIME")
    private @Nullable Duration duration;

    @Option(names = "--operations", paramLabel = "N")
    private @Nullable Long operations;

    @Option(names = "--faults", paramLabel = "P")
    private double faults;

    @Option(names = "--seed", paramLabel = "N")
    private @Nullable Long seed;

    @Override
    public Integer call() throws InterruptedException {
        context.useByDefault("inmemory"); // the names of a soak remain in the store
        Console console = context.console();
        boolean hasNoEnd = duration == null && operations == null;
        SecureRandom random = new SecureRandom();
        long chosenSeed = seed == null ? random.nextInt(Integer.MAX_VALUE) : seed;
        String prefix = "soak-" + Long.toHexString(random.nextLong());
        long most = operations != null ? operations : hasNoEnd ? 1_000_000 : Long.MAX_VALUE;
        Duration longest = duration != null ? duration : hasNoEnd ? Duration.ofSeconds(10) : NO_END;
        Progress progress = new Progress(console, System::nanoTime);
        // Checked before the backend is opened, since that may create a file.
        SoakOptions.Builder chosen = options(most);
        try (OpenBackend open = context.open(Opening.BULK)) {
            FaultSource source = open.faults();
            if (source != null) {
                chosen.faults(source, faults);
            }
            SoakOptions options = chosen.duration(longest)
                    .seed(chosenSeed)
                    .prefix(prefix)
                    .listener(report -> progress.show(() -> line(report, longest, most)))
                    .stopWhen(context.interrupt()::isRequested)
                    .build();
            console.say("seed " + chosenSeed + ", names start with " + prefix);
            context.interrupt().finishing(() -> "the operations in progress, and the check of every name");
            SoakReport report = Soak.create(open.backend(), options).run();
            progress.clear();
            console.print(context.isJson(), () -> json(report), out -> print(report, out));
            return report.isExact() ? 0 : 1;
        }
    }

    /** Returns the options that need no open backend, after checking all of them. */
    private SoakOptions.Builder options(long most) {
        SoakOptions.Builder options = SoakOptions.builder();
        try {
            SoakOptions.checkFaults(faults);
            options.workers(workers).names(counters, sequences).operations(most);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--" + e.getMessage(), e);
        }
        check(
                faults == 0 || context.factory().hasFaults(),
                "--faults " + faults + ": backend '" + context.backend()
                        + "' has no fault injection: use inmemory, or --backend firestore --emulator without"
                        + " FIRESTORE_EMULATOR_HOST in the environment");
        return options;
    }

    private static String line(SoakReport report, Duration longest, long most) {
        double passed = (double) report.elapsed().toNanos() / TimeUnit.NANOSECONDS.convert(longest);
        double done = Math.max(passed, (double) report.operations() / most);
        long perSecond = Figures.perSecond(report.operations(), report.elapsed().toNanos());
        return Figures.percent(done) + " " + Figures.bar(done, 20) + " " + Figures.grouped(report.operations())
                + " operations  " + Figures.grouped(perSecond) + "/s  "
                + Figures.count(report.faults(), "fault", "faults") + "  "
                + Figures.count(report.differences(), "difference", "differences");
    }

    /** Prints the report for people; the last line is the verdict. */
    private static void print(SoakReport report, PrintStream out) {
        long nanos = report.elapsed().toNanos();
        out.println(Figures.grouped(report.operations()) + " operations in " + Figures.time(nanos)
                + (report.stopped() ? " until interrupted, " : ", ")
                + Figures.grouped(Figures.perSecond(report.operations(), nanos)) + " a second: "
                + Figures.grouped(report.adds())
                + String.format(Locale.ROOT, " adds (%,.1f adds a commit), ", addsPerCommit(report))
                + Figures.grouped(report.appends()) + " appends, " + Figures.grouped(report.reads()) + " reads");
        out.println(Figures.count(report.faults(), "fault", "faults") + ", " + Figures.grouped(report.notApplied())
                + " not applied, " + Figures.grouped(report.refused()) + " refused, "
                + Figures.grouped(report.unknown()) + " unknown at first (" + Figures.grouped(report.unknownApplied())
                + " of them applied)");
        report.firstDifferences().forEach(out::println);
        long more = report.differences() - report.firstDifferences().size();
        if (more > 0) {
            out.println("and " + Figures.count(more, "more difference", "more differences"));
        }
        out.println(
                report.isExact()
                        ? "exact: " + report.names() + " of " + report.names()
                        : "differs: " + report.differing() + " of " + report.names());
    }

    private static double addsPerCommit(SoakReport report) {
        return report.commits() == 0 ? 0 : (double) report.committedAdds() / report.commits();
    }

    /** Returns the report for programs. */
    private static Json json(SoakReport report) {
        return Json.object()
                .withAll(report, "elapsed", "stopped", "committedAdds")
                .with("exact", report.isExact())
                .with("seconds", report.elapsed().toNanos() / 1e9)
                .with("addsPerCommit", addsPerCommit(report))
                .with("interrupted", report.stopped());
    }
}
