package io.counterkit.cli.ingest;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Readings;
import io.counterkit.cli.backend.Retries;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Progress;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What the store says of the counters that were added to, read strongly. */
final class Totals {
    private static final Comparator<Tally> MOST_FIRST =
            Comparator.comparingLong(Tally::sum).reversed().thenComparing(Tally::name);

    private final List<Row> top = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final boolean checks;
    private int checked;
    private int exact;

    private Totals(boolean checks) {
        this.checks = checks;
    }

    /**
     * Reads them.
     *
     * @param top how many rows are wanted
     * @param progress tells how far it is
     * @param check whether every total has to equal what was added, because the store was empty before
     */
    static Totals read(Counters counters, List<Tally> tallies, int top, boolean check, Progress progress) {
        List<Tally> ranked = tallies.stream().sorted(MOST_FIRST).toList();
        List<Tally> asked = check ? ranked : ranked.subList(0, Math.min(top, ranked.size()));
        Totals totals = new Totals(check);
        for (int from = 0; from < asked.size(); from += Limits.MAX_PAGE) {
            List<Tally> page = asked.subList(from, Math.min(from + Limits.MAX_PAGE, asked.size()));
            List<String> names = page.stream().map(Tally::name).toList();
            String read = "reading the totals: " + Figures.grouped(from) + " of " + Figures.grouped(asked.size());
            progress.show(() -> read);
            try {
                Readings readings = Retries.reading(() -> counters.readAll(names, Duration.ZERO));
                page.forEach(tally -> totals.take(tally, readings, top));
            } catch (CounterException e) {
                totals.problems.add("the totals of " + Figures.count(asked.size() - from, "name", "names")
                        + " could not be read: " + e.getMessage());
                break;
            }
        }
        return totals;
    }

    private void take(Tally tally, Readings readings, int most) {
        boolean check = checks && !tally.isUncertain();
        checked += check ? 1 : 0;
        try {
            long total = readings.get(tally.name()).value();
            if (top.size() < most) {
                top.add(new Row(tally.name(), total, tally.sum()));
            }
            if (check) {
                check(tally.name(), total, tally.sum());
            }
        } catch (CounterException e) {
            problems.add("'" + tally.name() + "' cannot be read: " + e.getMessage());
        }
    }

    private void check(String name, long total, long added) {
        if (total == added) {
            exact++;
        } else {
            problems.add("'" + name + "' is " + total + " in the store, but " + added + " was added to it");
        }
    }

    /** Those that most was added to, the most first. */
    List<Row> top() {
        return top;
    }

    /** How many totals have to be what was added. */
    int checked() {
        return checked;
    }

    /** How many of them are. */
    int exact() {
        return exact;
    }

    /** Which totals differ from what was added, and which cannot be read. */
    List<String> problems() {
        return problems;
    }

    /**
     * A counter.
     *
     * @param total in the store
     * @param added by this run
     */
    record Row(String name, long total, long added) {}
}
