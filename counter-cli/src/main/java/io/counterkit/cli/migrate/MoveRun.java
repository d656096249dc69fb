package io.counterkit.cli.migrate;

import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Json;
import io.counterkit.cli.console.Progress;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationJob;
import io.counterkit.migration.MigrationJobOptions;
import io.counterkit.migration.MigrationReport;
import io.counterkit.migration.MigrationReport.Part;
import java.io.PrintStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Moves names and prints the report. */
record MoveRun(Console console, Interrupt interrupt, Progress progress, boolean json, boolean dryRun) {
    private static final int LISTED = 20;

    /** Moves names and returns the exit code. */
    int run(MigratingBackend migrating, MigrationJobOptions.Builder options, @Nullable String position)
            throws InterruptedException {
        options.listener(report -> progress.show(() -> line(report))).stopWhen(interrupt::isRequested);
        MigrationReport report = MigrationJob.over(migrating, options.build()).runFor(MigrateCommand.NO_END, position);
        progress.clear();
        console.print(json, () -> json(report), out -> print(report, out));
        report.failures().stream()
                .limit(LISTED)
                .forEach(failed ->
                        console.say(Json.word(failed.kind()) + " '" + failed.name() + "' failed: " + failed.reason()));
        long more = report.counters().failed() + report.sequences().failed() - LISTED;
        if (more > 0) {
            console.say("and " + Figures.grouped(more) + " more of these");
        }
        return exitCode(console, report.next(), report.isClean());
    }

    /** Prints where an interrupted run can resume, if there is a next position, and returns the exit code. */
    static int exitCode(Console console, @Nullable String next, boolean isClean) {
        if (next != null) {
            console.say("interrupted; run it again, or resume here with --resume '" + next + "'");
            return Interrupt.EXIT_CODE;
        }
        return isClean ? 0 : 1;
    }

    private String line(MigrationReport report) {
        return Figures.grouped(names(report.counters()) + names(report.sequences())) + " names  "
                + Figures.grouped(report.sequences().copied()) + " entries  " + Figures.time(progress.nanos());
    }

    private static long names(Part part) {
        return part.moved() + part.alreadyMoved() + part.waiting();
    }

    private void print(MigrationReport report, PrintStream out) {
        Part sequences = report.sequences();
        String moving = dryRun ? "to move" : "moved";
        out.printf("%-10s %12s %14s %12s %12s%n", "", moving, "moved before", "excluded", "failed");
        row(out, "counters", report.counters());
        row(out, "sequences", sequences);
        out.printf(Locale.ROOT, "%-10s %,12d %,14d%n", "entries", sequences.copied(), sequences.alreadyCopied());
        if (sequences.left() > 0) {
            out.println(Figures.count(sequences.left(), "entry stays", "entries stay")
                    + " in the source and can be read there; --copy-entries copies them");
        }
        long moved = report.counters().moved() + sequences.moved();
        out.println(
                dryRun
                        ? "nothing was changed"
                        : "moved " + Figures.count(moved, "name", "names") + " and "
                                + Figures.count(sequences.copied(), "entry", "entries") + " in "
                                + Figures.time(progress.nanos()));
    }

    private static void row(PrintStream out, String kind, Part part) {
        out.printf(
                Locale.ROOT,
                "%-10s %,12d %,14d %,12d %,12d%n",
                kind,
                part.moved(),
                part.alreadyMoved(),
                part.waiting(),
                part.failed());
    }

    private Json json(MigrationReport report) {
        return Json.object()
                .with("dryRun", dryRun)
                .with("counters", json(report.counters()))
                .with(
                        "sequences",
                        json(report.sequences())
                                .with("entriesCopied", report.sequences().copied())
                                .with("entriesCopiedBefore", report.sequences().alreadyCopied())
                                .with("entriesLeft", report.sequences().left()))
                .with("failures", report.failures())
                .with("seconds", progress.nanos() / 1e9)
                .with("interrupted", report.next() != null)
                .with("next", report.next());
    }

    private static Json json(Part part) {
        return Json.object()
                .with("moved", part.moved())
                .with("movedBefore", part.alreadyMoved())
                .with("excluded", part.waiting())
                .with("failed", part.failed());
    }
}
