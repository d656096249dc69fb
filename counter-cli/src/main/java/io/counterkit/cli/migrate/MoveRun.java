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
import io.counterkit.spi.ChangeTarget;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Moves names and reports. */
final class MoveRun {
    private static final int LISTED = 20;

    private final Console console;
    private final Interrupt interrupt;
    private final boolean json;
    private final boolean dryRun;
    private final Progress progress;
    private final long start = System.nanoTime();

    MoveRun(Console console, Interrupt interrupt, boolean json, boolean dryRun) {
        this.console = console;
        this.interrupt = interrupt;
        this.json = json;
        this.dryRun = dryRun;
        this.progress = new Progress(console, System::nanoTime);
    }

    /**
     * Moves and returns the exit code.
     *
     * @param names how many names the source has; 0 if nobody has counted them
     */
    int run(MigratingBackend migrating, MigrationJobOptions.Builder options, long names, @Nullable String position)
            throws InterruptedException {
        options.listener(report -> progress.show(() -> line(report, names))).stopWhen(interrupt::isRequested);
        MigrationReport report =
                MigrationJob.over(migrating, options.build()).runFor(MigrateCommand.WITHOUT_END, position);
        progress.clear();
        print(report);
        return report.next() != null ? Interrupt.EXIT_CODE : report.isClean() ? 0 : 1;
    }

    private String line(MigrationReport report, long names) {
        long nanos = System.nanoTime() - start;
        long done = names(report.counters()) + names(report.sequences());
        String counted = Figures.grouped(done) + (names == 0 ? " names" : " of " + Figures.grouped(names) + " names")
                + "  " + Figures.grouped(report.sequences().copied()) + " entries  " + Figures.time(nanos);
        double fraction = names == 0 ? 0 : Math.min(1, (double) done / names);
        return names == 0
                ? counted
                : String.format(Locale.ROOT, "%3.0f %% %s %s", 100 * fraction, Figures.bar(fraction, 30), counted);
    }

    private static long names(Part part) {
        return part.moved() + part.alreadyMoved() + part.waiting();
    }

    private void print(MigrationReport report) {
        if (json) {
            console.out().println(json(report));
        } else {
            table(report);
        }
        console.out().flush();
        report.failures().stream()
                .limit(LISTED)
                .forEach(failed -> console.err()
                        .println("counter: " + said(failed.kind()) + " '" + failed.name() + "' failed: "
                                + failed.reason()));
        long more = report.counters().failed() + report.sequences().failed() - LISTED;
        if (more > 0) {
            console.err().println("counter: and " + Figures.grouped(more) + " more of these");
        }
        if (report.next() != null) {
            console.err()
                    .println("counter: interrupted; run it again, or go on from here with --resume '" + report.next()
                            + "'");
        }
    }

    private void table(MigrationReport report) {
        String form = "%-10s %12s %14s %12s %12s";
        console.out()
                .println(
                        String.format(form, "", dryRun ? "to move" : "moved", "moved before", "not in turn", "failed"));
        console.out().println(row(form, "counters", report.counters()));
        console.out().println(row(form, "sequences", report.sequences()));
        Part entries = report.sequences();
        console.out()
                .println(String.format(
                        "%-10s %12s %14s",
                        "entries", Figures.grouped(entries.copied()), Figures.grouped(entries.alreadyCopied())));
        if (entries.left() > 0) {
            console.out()
                    .println(Figures.count(entries.left(), "entry stays", "entries stay")
                            + " in the source and can be read there; --copy-entries copies them");
        }
        long nanos = System.nanoTime() - start;
        long moved = report.counters().moved() + report.sequences().moved();
        console.out()
                .println(
                        dryRun
                                ? "nothing was changed"
                                : "moved " + Figures.count(moved, "name", "names") + " and "
                                        + Figures.count(entries.copied(), "entry", "entries") + " in "
                                        + Figures.time(nanos));
    }

    private static String row(String form, String kind, Part part) {
        return String.format(
                form,
                kind,
                Figures.grouped(part.moved()),
                Figures.grouped(part.alreadyMoved()),
                Figures.grouped(part.waiting()),
                Figures.grouped(part.failed()));
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
                .with(
                        "failures",
                        report.failures().stream()
                                .map(failed -> Json.object()
                                        .with("kind", said(failed.kind()))
                                        .with("name", failed.name())
                                        .with("reason", failed.reason()))
                                .toList())
                .with("seconds", (System.nanoTime() - start) / 1e9)
                .with("interrupted", report.next() != null)
                .with("next", report.next());
    }

    private static Json json(Part part) {
        return Json.object()
                .with("moved", part.moved())
                .with("movedBefore", part.alreadyMoved())
                .with("notInTurn", part.waiting())
                .with("failed", part.failed());
    }

    static String said(ChangeTarget.Kind kind) {
        return kind == ChangeTarget.Kind.COUNTER ? "counter" : "sequence";
    }
}
