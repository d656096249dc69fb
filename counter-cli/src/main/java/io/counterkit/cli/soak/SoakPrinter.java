package io.counterkit.cli.soak;

import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Json;
import io.counterkit.soak.SoakReport;
import java.io.PrintStream;
import java.util.Locale;

/** Prints the report of a soak. */
final class SoakPrinter {
    private SoakPrinter() {}

    /** Prints the report for people or for programs; for people, the last line is the verdict. */
    static void print(SoakReport report, Console console, boolean json) {
        if (json) {
            console.out().println(json(report));
        } else {
            print(report, console.out());
        }
        console.out().flush();
    }

    private static void print(SoakReport report, PrintStream out) {
        long nanos = report.elapsed().toNanos();
        out.println(Figures.grouped(report.operations()) + " operations in " + Figures.time(nanos)
                + (report.stopped() ? " until interrupted, " : ", ")
                + Figures.grouped(Figures.perSecond(report.operations(), nanos)) + " a second: "
                + Figures.grouped(report.adds())
                + String.format(Locale.ROOT, " adds (%.1f adds a commit), ", addsPerCommit(report))
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

    private static Json json(SoakReport report) {
        return Json.object()
                .with("exact", report.isExact())
                .with("names", report.names())
                .with("differing", report.differing())
                .with("differences", report.differences())
                .with("firstDifferences", report.firstDifferences())
                .with("prefix", report.prefix())
                .with("seed", report.seed())
                .with("operations", report.operations())
                .with("seconds", report.elapsed().toNanos() / 1e9)
                .with("adds", report.adds())
                .with("commits", report.commits())
                .with("addsPerCommit", addsPerCommit(report))
                .with("appends", report.appends())
                .with("reads", report.reads())
                .with("faults", report.faults())
                .with("notApplied", report.notApplied())
                .with("refused", report.refused())
                .with("unknown", report.unknown())
                .with("unknownApplied", report.unknownApplied())
                .with("interrupted", report.stopped());
    }
}
