package io.counterkit.cli.ingest;

import io.counterkit.cli.backend.CommitCount;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Json;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Tells what came of an ingest, to people or to programs. */
record IngestReport(IngestSummary summary, CommitCount commits, Totals totals) {
    private static final int LISTED = 20;

    /** Writes the result to the output, and what went wrong to the error stream. */
    void print(Console console, boolean json) {
        if (json) {
            console.out().println(json());
        } else {
            text(console.out()::println);
        }
        console.out().flush();
        Stream<String> notApplied = summary.notApplied().stream()
                .map(lost -> "not applied: " + Figures.count(lost.adds(), "add", "adds") + " of " + lost.sum() + " to '"
                        + lost.name() + "': " + lost.why());
        Stream<String> unknown = summary.unknown().stream()
                .map(open -> "unknown: add of " + open.delta() + " to '" + open.name() + "', token " + open.token());
        List<String> problems = Stream.of(notApplied, unknown, totals.problems().stream())
                .flatMap(problem -> problem)
                .toList();
        problems.stream().limit(LISTED).forEach(problem -> console.err().println("counter: " + problem));
        if (problems.size() > LISTED) {
            console.err().println("counter: and " + Figures.grouped(problems.size() - LISTED) + " more of these");
        }
        if (summary.failure() != null) {
            console.err()
                    .println("counter: " + summary.source() + ": line " + (summary.lines() + 1)
                            + " and the rest could not be read: " + summary.failure());
        }
        if (summary.interrupted()) {
            console.err()
                    .println("counter: interrupted after line " + summary.lines()
                            + "; what was read until then is counted, the rest is not");
        }
    }

    private void text(Consumer<String> out) {
        out.accept(Figures.count(summary.lines(), "line", "lines") + " in " + Figures.time(summary.nanos()) + ", "
                + Figures.grouped(Figures.perSecond(summary.lines(), summary.nanos())) + " a second: "
                + Figures.count(summary.adds(), "add", "adds") + " to "
                + Figures.count(summary.tallies().size(), "name", "names")
                + (summary.adds() == 0 ? "" : ", " + commits)
                + part(summary.malformed(), "malformed") + part(summary.blank(), "blank")
                + part(summary.repeats(), "repeated"));
        table(out);
        if (totals.checked() > 0) {
            out.accept("exact: " + Figures.grouped(totals.exact()) + " of " + Figures.grouped(totals.checked())
                    + " totals are what was added");
        }
    }

    private static String part(long count, String what) {
        return count == 0 ? "" : ", " + Figures.grouped(count) + " " + what;
    }

    /** What was added is shown beside the total where that is more than this run's. */
    private void table(Consumer<String> out) {
        if (totals.top().isEmpty()) {
            return;
        }
        boolean both = totals.top().stream().anyMatch(row -> row.added() != row.total());
        out.accept("");
        out.accept(String.format("%15s  %s%s", "total", both ? String.format("%15s  ", "added") : "", "name"));
        totals.top()
                .forEach(row -> out.accept(String.format(
                        "%15s  %s%s",
                        Figures.grouped(row.total()),
                        both ? String.format("%15s  ", Figures.grouped(row.added())) : "",
                        row.name())));
        out.accept("");
    }

    private Json json() {
        return Json.object()
                .with("source", summary.source())
                .with("lines", summary.lines())
                .with("blank", summary.blank())
                .with("malformed", summary.malformed())
                .with("adds", summary.adds())
                .with("commits", commits.commits())
                .with("addsPerCommit", commits.addsPerCommit())
                .with("names", summary.tallies().size())
                .with("repeats", summary.repeats())
                .with("seconds", summary.nanos() / 1e9)
                .with("linesPerSecond", Figures.perSecond(summary.lines(), summary.nanos()))
                .with("interrupted", summary.interrupted())
                .with("failure", summary.failure())
                .with("checked", totals.checked())
                .with("exact", totals.exact())
                .with("problems", totals.problems())
                .with(
                        "notApplied",
                        summary.notApplied().stream()
                                .map(lost -> Json.object()
                                        .with("name", lost.name())
                                        .with("adds", lost.adds())
                                        .with("sum", lost.sum())
                                        .with("why", lost.why()))
                                .toList())
                .with(
                        "unknown",
                        summary.unknown().stream()
                                .map(open -> Json.object()
                                        .with("name", open.name())
                                        .with("delta", open.delta())
                                        .with("token", open.token().value()))
                                .toList())
                .with(
                        "top",
                        totals.top().stream()
                                .map(row -> Json.object()
                                        .with("name", row.name())
                                        .with("total", row.total())
                                        .with("added", row.added()))
                                .toList());
    }
}
