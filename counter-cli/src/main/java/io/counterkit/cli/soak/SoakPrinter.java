package io.counterkit.cli.soak;

import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Json;
import io.counterkit.soak.SoakReport;
import java.io.PrintStream;
import java.util.Locale;

/** Prints the report of a soak. */
final class SoakPrinter {
    private SoakPrinter() {}

    /** Prints the report for people; the last line is the verdict. */
    static void print(SoakReport report, PrintStream out) {
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

    /** Returns the report for programs. */
    static Json json(SoakReport report) {
        return Json.of(report, "elapsed", "stopped", "committedAdds")
                .with("exact", report.isExact())
                .with("seconds", report.elapsed().toNanos() / 1e9)
                .with("addsPerCommit", addsPerCommit(report))
                .with("interrupted", report.stopped());
    }
}
