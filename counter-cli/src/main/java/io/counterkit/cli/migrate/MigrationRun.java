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
import io.counterkit.migration.MigrationVerifier;
import io.counterkit.migration.VerificationOptions;
import io.counterkit.migration.VerificationReport;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Moves names, or compares both sides, and prints the report. */
record MigrationRun(Console console, Interrupt interrupt, Progress progress, boolean json) {
    private static final Duration NO_END = Duration.ofDays(1000);
    private static final int FAILURES_LISTED = 20;
    private static final int DIFFERENCES_LISTED = 100;

    /** Moves names and returns the exit code. */
    int move(MigratingBackend migrating, MigrationJobOptions.Builder options, boolean dryRun, @Nullable String position)
            throws InterruptedException {
        options.listener(report -> progress.show(() -> line(report))).stopWhen(interrupt::isRequested);
        MigrationReport report = MigrationJob.over(migrating, options.build()).runFor(NO_END, position);
        progress.clear();
        console.print(json, () -> json(report, dryRun), out -> print(report, dryRun, out));
        report.failures().stream()
                .limit(FAILURES_LISTED)
                .forEach(failed ->
                        console.say(Json.word(failed.kind()) + " '" + failed.name() + "' failed: " + failed.reason()));
        long more = report.counters().failed() + report.sequences().failed() - FAILURES_LISTED;
        if (more > 0) {
            console.say("and " + Figures.grouped(more) + " more of these");
        }
        return exitCode(report.next(), report.isClean());
    }

    private String line(MigrationReport report) {
        return Figures.grouped(names(report.counters()) + names(report.sequences())) + " names  "
                + Figures.grouped(report.sequences().copied()) + " entries  " + Figures.time(progress.nanos());
    }

    private static long names(Part part) {
        return part.moved() + part.alreadyMoved() + part.waiting();
    }

    private void print(MigrationReport report, boolean dryRun, PrintStream out) {
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

    private Json json(MigrationReport report, boolean dryRun) {
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

    /** Compares both sides and returns the exit code. */
    int verify(MigratingBackend migrating, VerificationOptions.Builder options, @Nullable String position)
            throws InterruptedException {
        options.listener(report -> progress.show(() -> line(report))).stopWhen(interrupt::isRequested);
        VerificationReport report =
                MigrationVerifier.over(migrating, options.build()).runFor(NO_END, position);
        progress.clear();
        console.print(json, () -> json(report), out -> print(report, out));
        return exitCode(report.next(), report.isClean());
    }

    private String line(VerificationReport report) {
        return Figures.grouped(report.counters()) + " counters  " + Figures.grouped(report.sequences()) + " sequences  "
                + Figures.grouped(report.entries()) + " entries compared  " + Figures.time(progress.nanos())
                + (report.differing() == 0
                        ? ""
                        : "  " + Figures.count(report.differing(), "difference", "differences"));
    }

    private void print(VerificationReport report, PrintStream out) {
        out.println("compared " + Figures.count(report.counters(), "counter", "counters") + ", "
                + Figures.count(report.sequences(), "sequence", "sequences") + " and "
                + Figures.count(report.entries(), "entry", "entries") + " in "
                + Figures.time(progress.nanos()));
        if (report.notMoved() > 0) {
            out.println(Figures.count(report.notMoved(), "name is", "names are") + " not moved yet");
        }
        if (report.onlyInTarget() > 0) {
            out.println(Figures.count(report.onlyInTarget(), "name is", "names are")
                    + " at the target only, and not part of this migration");
        }
        report.differences().stream()
                .limit(DIFFERENCES_LISTED)
                .forEach(difference -> out.println(
                        Json.word(difference.kind()) + " '" + difference.name() + "': " + difference.what()));
        if (report.differing() > DIFFERENCES_LISTED) {
            out.println("and " + Figures.grouped(report.differing() - DIFFERENCES_LISTED) + " more");
        }
        out.println(
                report.isClean() ? "nothing differs" : Figures.count(report.differing(), "difference", "differences"));
    }

    private Json json(VerificationReport report) {
        return Json.object()
                .with("same", report.isClean())
                .withAll(report, "next")
                .with("seconds", progress.nanos() / 1e9)
                .with("interrupted", report.next() != null)
                .with("next", report.next());
    }

    /** Prints where an interrupted run can resume, if there is a next position, and returns the exit code. */
    private int exitCode(@Nullable String next, boolean isClean) {
        if (next != null) {
            console.say("interrupted; run it again, or resume here with --resume '" + next + "'");
            return Interrupt.EXIT_CODE;
        }
        return isClean ? 0 : 1;
    }
}
