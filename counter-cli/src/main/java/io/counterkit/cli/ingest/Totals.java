package io.counterkit.cli.ingest;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Readings;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Progress;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The totals of the counters that an ingest has added to, as strong reads of the store return them. */
final class Totals {
    private static final Comparator<Tally> LARGEST_FIRST =
            Comparator.<Tally>comparingLong(tally -> tally.sum).reversed().thenComparing(Tally::name);

    /** The counters with the largest sums, the largest first. */
    final List<Row> top = new ArrayList<>();

    /** The totals that are less than what was added, and those that cannot be read. */
    final List<String> problems = new ArrayList<>();

    /** The number of totals that are compared with what was added. */
    int checked;

    /** The number of them that equal it. */
    int exact;

    /** The number of them that are larger, since another program may have added too. */
    int larger;

    /**
     * A counter.
     *
     * @param total its total in the store
     * @param added the sum of what this run has added
     */
    record Row(String name, long total, long added) {}

    /**
     * Reads totals.
     *
     * @param rows the number of the largest totals to list
     * @param wasEmpty whether the store was empty before, so that each total must be what was added, or more if
     *     another program adds too
     */
    static Totals read(Counters counters, Collection<Tally> tallies, int rows, boolean wasEmpty, Progress progress) {
        List<Tally> ranked = tallies.stream()
                .filter(tally -> tally.adds > 0)
                .sorted(LARGEST_FIRST)
                .toList();
        List<Tally> wanted = wasEmpty ? ranked : ranked.subList(0, Math.min(rows, ranked.size()));
        Totals totals = new Totals();
        for (int from = 0; from < wanted.size(); from += Limits.MAX_PAGE) {
            List<Tally> page = wanted.subList(from, Math.min(from + Limits.MAX_PAGE, wanted.size()));
            List<String> names = page.stream().map(Tally::name).toList();
            String read = "reading the totals: " + Figures.grouped(from) + " of " + Figures.grouped(wanted.size());
            progress.show(() -> read);
            try {
                Readings readings = Backoff.retrying(() -> counters.readAll(names, Duration.ZERO));
                page.forEach(tally -> totals.add(tally, readings, rows, wasEmpty));
            } catch (CounterException e) {
                totals.problems.add("the totals of " + Figures.count(wanted.size() - from, "name", "names")
                        + " could not be read: " + e.getMessage());
                break;
            }
        }
        return totals;
    }

    private void add(Tally tally, Readings readings, int rows, boolean wasEmpty) {
        boolean isChecked = wasEmpty && tally.unknown.isEmpty();
        checked += isChecked ? 1 : 0;
        try {
            long total = readings.get(tally.name()).value();
            if (top.size() < rows) {
                top.add(new Row(tally.name(), total, tally.sum));
            }
            if (isChecked && total == tally.sum) {
                exact++;
            } else if (isChecked && total > tally.sum) {
                larger++;
            } else if (isChecked) {
                problems.add(
                        "'" + tally.name() + "' is " + total + " in the store, but " + tally.sum + " was added to it");
            }
        } catch (CounterException e) {
            problems.add("'" + tally.name() + "' cannot be read: " + e.getMessage());
        }
    }
}
