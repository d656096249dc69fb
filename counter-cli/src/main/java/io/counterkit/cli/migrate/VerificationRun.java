package io.counterkit.cli.migrate;

import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Json;
import io.counterkit.cli.console.Progress;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationVerifier;
import io.counterkit.migration.VerificationOptions;
import io.counterkit.migration.VerificationReport;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Compares both sides and prints the report. */
record VerificationRun(Console console, Interrupt interrupt, Progress progress, boolean json) {
    private static final int LISTED = 100;

    /** Compares both sides and returns the exit code. */
    int run(MigratingBackend migrating, VerificationOptions.Builder options, @Nullable String position)
            throws InterruptedException {
        options.listener(report -> progress.show(() -> line(report))).stopWhen(interrupt::isRequested);
        VerificationReport report =
                MigrationVerifier.over(migrating, options.build()).runFor(MigrateCommand.NO_END, position);
        progress.clear();
        console.print(json, () -> json(report), out -> print(report, out));
        return MoveRun.exitCode(console, report.next(), report.isClean());
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
                .limit(LISTED)
                .forEach(difference -> out.println(
                        Json.word(difference.kind()) + " '" + difference.name() + "': " + difference.what()));
        if (report.differing() > LISTED) {
            out.println("and " + Figures.grouped(report.differing() - LISTED) + " more");
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
}
