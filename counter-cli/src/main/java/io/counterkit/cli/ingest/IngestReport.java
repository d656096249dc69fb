package io.counterkit.cli.ingest;

import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The report of an ingest, for people or for programs. */
record IngestReport(Ingest.Result result, CommitCount commits, Totals totals) {
    private static final int LISTED = 20;

    private List<Tally.NotApplied> notApplied() {
        return result.tallies().stream()
                .map(Tally::notApplied)
                .filter(notApplied -> notApplied.adds() > 0)
                .sorted(Comparator.comparing(Tally.NotApplied::name))
                .toList();
    }

    private List<Tally.Unknown> unknown() {
        return result.tallies().stream()
                .flatMap(tally -> tally.unknown().stream())
                .toList();
    }

    private long names() {
        return result.tallies().stream().filter(tally -> tally.adds() > 0).count();
    }

    int exitCode() {
        boolean isClean = result.malformed() == 0
                && result.failure() == null
                && result.stopped() == null
                && notApplied().isEmpty()
                && unknown().isEmpty()
                && totals.problems().isEmpty();
        return result.interrupted() ? Interrupt.EXIT_CODE : isClean ? 0 : 1;
    }

    /** Prints the result on the output, and what failed on the error stream. */
    void print(Console console, boolean json) {
        console.print(json, this::json, out -> text(out::println));
        List<String> problems = Stream.of(
                        notApplied().stream()
                                .map(failed -> "not applied: " + Figures.count(failed.adds(), "add", "adds") + " of "
                                        + failed.sum() + " to '" + failed.name() + "': " + failed.why()),
                        unknown().stream()
                                .map(add -> "unknown: add of " + add.delta() + " to '" + add.name() + "', token "
                                        + add.token()),
                        totals.problems().stream())
                .flatMap(problem -> problem)
                .toList();
        problems.stream().limit(LISTED).forEach(console::say);
        if (problems.size() > LISTED) {
            console.say("and " + Figures.grouped(problems.size() - LISTED) + " more of these");
        }
        if (result.failure() != null) {
            console.say(result.source() + ": line " + (result.lastLine() + 1) + " and the rest could not be read: "
                    + result.failure());
        }
        if (result.stopped() != null) {
            console.say("stopped after line " + result.lastLine() + ": " + result.stopped()
                    + "; --resume repeats what is missing and counts the rest");
        } else if (result.interrupted()) {
            console.say("interrupted after line " + result.lastLine()
                    + "; what was read until then is counted, the rest is not"
                    + (result.isResumable() ? ": --resume counts it" : ""));
        }
    }

    private void text(Consumer<String> out) {
        out.accept(Figures.count(result.lines(), "line", "lines") + " in " + Figures.time(result.nanos()) + ", "
                + Figures.grouped(Figures.perSecond(result.lines(), result.nanos())) + " a second: "
                + Figures.count(result.adds(), "add", "adds") + " to "
                + Figures.count(names(), "name", "names")
                + (result.adds() == 0
                        ? ""
                        : String.format(Locale.ROOT, ", %.1f adds a commit", commits.addsPerCommit()))
                + part(result.malformed(), "malformed") + part(result.blank(), "blank")
                + part(result.repeats(), "repeated")
                + part(result.linesBefore(), "lines counted before"));
        table(out);
        if (totals.checked() > 0) {
            out.accept("exact: " + Figures.grouped(totals.exact()) + " of " + Figures.grouped(totals.checked())
                    + " totals are what was added"
                    + (totals.larger() == 0
                            ? ""
                            : ", and " + Figures.grouped(totals.larger())
                                    + " more than that, as when another program adds too"));
        }
    }

    private static String part(long count, String what) {
        return count == 0 ? "" : ", " + Figures.grouped(count) + " " + what;
    }

    /** Shows what was added beside the total, if a total is more than this run has added. */
    private void table(Consumer<String> out) {
        if (totals.top().isEmpty()) {
            return;
        }
        boolean both = totals.top().stream().anyMatch(row -> row.added() != row.total());
        out.accept("");
        out.accept(String.format("%15s  %s%s", "total", both ? String.format("%15s  ", "added") : "", "name"));
        for (Totals.Row row : totals.top()) {
            out.accept(String.format(
                    "%15s  %s%s",
                    Figures.grouped(row.total()),
                    both ? String.format("%15s  ", Figures.grouped(row.added())) : "",
                    row.name()));
        }
        out.accept("");
    }

    private Json json() {
        return Json.object()
                .with("source", result.source())
                .with("linesBefore", result.linesBefore())
                .with("lines", result.lines())
                .with("blank", result.blank())
                .with("malformed", result.malformed())
                .with("adds", result.adds())
                .with("commits", commits.commits())
                .with("addsPerCommit", commits.addsPerCommit())
                .with("names", names())
                .with("repeats", result.repeats())
                .with("seconds", result.nanos() / 1e9)
                .with("linesPerSecond", Figures.perSecond(result.lines(), result.nanos()))
                .with("interrupted", result.interrupted())
                .with("failure", result.failure())
                .with("stopped", result.stopped())
                .with("checked", totals.checked())
                .with("exact", totals.exact())
                .with("larger", totals.larger())
                .with("problems", totals.problems())
                .with("notApplied", notApplied())
                .with("unknown", unknown())
                .with("top", totals.top());
    }
}
