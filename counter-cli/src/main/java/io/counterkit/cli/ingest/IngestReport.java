package io.counterkit.cli.ingest;

import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The report of an ingest, for people or for programs.
 *
 * @param commits how many commits of adds there were, retries included
 */
record IngestReport(Ingest ingest, LongAdder commits, Totals totals) {
    private static final int LISTED = 20;

    private List<Tally.NotApplied> notApplied() {
        return ingest.tallies.values().stream()
                .map(tally -> tally.notApplied)
                .filter(notApplied -> notApplied.adds() > 0)
                .sorted(Comparator.comparing(Tally.NotApplied::name))
                .toList();
    }

    private List<Tally.Unknown> unknown() {
        return ingest.tallies.values().stream()
                .flatMap(tally -> tally.unknown.stream())
                .toList();
    }

    private long names() {
        return ingest.tallies.values().stream().filter(tally -> tally.adds > 0).count();
    }

    int exitCode() {
        boolean isClean = ingest.malformed == 0
                && ingest.failure == null
                && ingest.stopped == null
                && notApplied().isEmpty()
                && unknown().isEmpty()
                && totals.problems.isEmpty();
        return ingest.isInterrupted ? Interrupt.EXIT_CODE : isClean ? 0 : 1;
    }

    /** Prints the result on the output, and what failed on the error stream. */
    void print(Console console, boolean json) {
        console.print(json, this::json, out -> text(out::println));
        List<String> problems = Stream.of(
                        notApplied().stream()
                                .map(failed -> "not applied: " + Figures.count(failed.adds(), "add", "adds") + " to '"
                                        + failed.name() + "', " + failed.sum() + " in total: " + failed.why()),
                        unknown().stream()
                                .map(add -> "unknown: add of " + add.delta() + " to '" + add.name() + "', token "
                                        + add.token()),
                        totals.problems.stream())
                .flatMap(problem -> problem)
                .toList();
        problems.stream().limit(LISTED).forEach(console::say);
        if (problems.size() > LISTED) {
            console.say("and " + Figures.grouped(problems.size() - LISTED) + " more of these");
        }
        if (ingest.failure != null) {
            console.say(ingest.source.name() + ": line " + (ingest.lines + 1) + " and the rest could not be read: "
                    + ingest.failure);
        }
        if (ingest.stopped != null) {
            console.say("stopped after line " + ingest.lines + ": " + ingest.stopped
                    + "; --resume repeats what is missing and counts the rest");
        } else if (ingest.isInterrupted) {
            console.say("interrupted after line " + ingest.lines + ": all lines up to it were read and sent"
                    + (ingest.isResumable() ? "; --resume counts the rest" : ""));
        }
    }

    private void text(Consumer<String> out) {
        out.accept(Figures.count(ingest.newLines(), "line", "lines") + " in " + Figures.time(ingest.nanos) + ", "
                + Figures.grouped(Figures.perSecond(ingest.newLines(), ingest.nanos)) + " a second: "
                + Figures.count(ingest.adds(), "add", "adds") + " to "
                + Figures.count(names(), "name", "names")
                + (ingest.adds() == 0 ? "" : String.format(Locale.ROOT, ", %,.1f adds a commit", addsPerCommit()))
                + part(ingest.malformed, "malformed") + part(ingest.blank, "blank")
                + part(ingest.retries, "repeated")
                + part(ingest.before.lines(), "lines counted before"));
        table(out);
        if (totals.checked > 0) {
            out.accept("exact: " + Figures.grouped(totals.exact) + " of " + Figures.grouped(totals.checked)
                    + " totals equal what was added"
                    + (totals.larger == 0
                            ? ""
                            : ", and " + Figures.grouped(totals.larger)
                                    + " are larger, as when another program adds too"));
        }
    }

    /** Returns the average number of adds in a commit; 0 if there was no commit. */
    private double addsPerCommit() {
        return commits.sum() == 0 ? 0 : (double) ingest.adds() / commits.sum();
    }

    private static String part(long count, String what) {
        return count == 0 ? "" : ", " + Figures.grouped(count) + " " + what;
    }

    /** Prints the largest totals. Prints what was added beside them if a total differs from it. */
    private void table(Consumer<String> out) {
        if (totals.top.isEmpty()) {
            return;
        }
        boolean both = totals.top.stream().anyMatch(row -> row.added() != row.total());
        out.accept("");
        out.accept(String.format("%15s  %s%s", "total", both ? String.format("%15s  ", "added") : "", "name"));
        for (Totals.Row row : totals.top) {
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
                .with("source", ingest.source.name())
                .with("linesBefore", ingest.before.lines())
                .with("lines", ingest.newLines())
                .with("blank", ingest.blank)
                .with("malformed", ingest.malformed)
                .with("adds", ingest.adds())
                .with("commits", commits.sum())
                .with("addsPerCommit", addsPerCommit())
                .with("names", names())
                .with("repeats", ingest.retries)
                .with("seconds", ingest.nanos / 1e9)
                .with("linesPerSecond", Figures.perSecond(ingest.newLines(), ingest.nanos))
                .with("interrupted", ingest.isInterrupted)
                .with("failure", ingest.failure)
                .with("stopped", ingest.stopped)
                .with("checked", totals.checked)
                .with("exact", totals.exact)
                .with("larger", totals.larger)
                .with("problems", totals.problems)
                .with("notApplied", notApplied())
                .with("unknown", unknown())
                .with("top", totals.top);
    }
}
