package io.counterkit.cli.soak;

import io.counterkit.cli.backend.CommitCount;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Json;
import java.util.List;
import java.util.stream.Stream;

/**
 * What came of a soak.
 *
 * @param commits the commits of adds
 * @param faults how many calls were disturbed
 * @param nanos how long the workers worked
 * @param interrupted whether the user ended it
 */
record SoakSummary(
        SoakPlan plan,
        Books books,
        Happened happened,
        CommitCount commits,
        long faults,
        long nanos,
        boolean interrupted) {
    /** Whether nothing differs. */
    boolean isExact() {
        return books.findings().count() == 0;
    }

    /** Writes the result to the output; the last line is the verdict. */
    void print(Console console, boolean json) {
        if (json) {
            console.out().println(json());
        } else {
            Stream.of(List.of(work(), trouble()), differences(), List.of(verdict()))
                    .flatMap(List::stream)
                    .forEach(console.out()::println);
        }
        console.out().flush();
    }

    private String work() {
        long operations = happened.operations.sum();
        return Figures.grouped(operations) + " operations in " + Figures.time(nanos)
                + (interrupted ? " until interrupted, " : ", ")
                + Figures.grouped(Figures.perSecond(operations, nanos)) + " a second: "
                + Figures.grouped(happened.adds.sum()) + " adds (" + commits + "), "
                + Figures.grouped(happened.appends.sum())
                + " appends, " + Figures.grouped(happened.reads.sum()) + " reads";
    }

    private String trouble() {
        return Figures.count(faults, "fault", "faults") + ", " + Figures.grouped(happened.notApplied.sum())
                + " not applied, " + Figures.grouped(happened.refused.sum()) + " refused, "
                + Figures.grouped(happened.unknown.sum()) + " unknown at first ("
                + Figures.grouped(happened.unknownApplied.sum()) + " of them applied)";
    }

    private List<String> differences() {
        Findings findings = books.findings();
        long more = findings.count() - findings.texts().size();
        return more == 0
                ? findings.texts()
                : Stream.concat(
                                findings.texts().stream(),
                                Stream.of("and " + Figures.count(more, "more difference", "more differences")))
                        .toList();
    }

    private String verdict() {
        return isExact()
                ? "exact: " + books.size() + " of " + books.size()
                : "differs: " + books.findings().names() + " of " + books.size();
    }

    private Json json() {
        return Json.object()
                .with("exact", isExact())
                .with("names", books.size())
                .with("differing", books.findings().names())
                .with("differences", books.findings().count())
                .with("firstDifferences", books.findings().texts())
                .with("prefix", books.prefix())
                .with("seed", plan.seed())
                .with("operations", happened.operations.sum())
                .with("seconds", nanos / 1e9)
                .with("adds", happened.adds.sum())
                .with("commits", commits.commits())
                .with("addsPerCommit", commits.addsPerCommit())
                .with("appends", happened.appends.sum())
                .with("reads", happened.reads.sum())
                .with("faults", faults)
                .with("notApplied", happened.notApplied.sum())
                .with("refused", happened.refused.sum())
                .with("unknown", happened.unknown.sum())
                .with("unknownApplied", happened.unknownApplied.sum())
                .with("interrupted", interrupted);
    }
}
