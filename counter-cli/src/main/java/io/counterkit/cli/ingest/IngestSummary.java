package io.counterkit.cli.ingest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far an ingest came.
 *
 * @param lines lines read, blank and malformed ones too
 * @param repeats how often an add was sent once more
 * @param tallies what was added to each counter
 * @param notApplied the adds that surely were not applied
 * @param unknown the adds of which nobody knows
 * @param nanos from the first line to the last answer
 * @param interrupted whether the user ended it before the source did
 * @param failure why the source could not be read to its end; null if it could
 */
record IngestSummary(
        String source,
        long lines,
        long blank,
        long malformed,
        long repeats,
        List<Tally> tallies,
        List<Unsettled.NotApplied> notApplied,
        List<Unsettled.Unknown> unknown,
        long nanos,
        boolean interrupted,
        @Nullable String failure) {
    IngestSummary {
        tallies = tallies.stream().filter(tally -> tally.adds() > 0).toList();
    }

    /** How many adds were applied. */
    long adds() {
        return tallies.stream().mapToLong(Tally::adds).sum();
    }

    /** Whether every line was counted. */
    boolean isClean() {
        return malformed == 0 && notApplied.isEmpty() && unknown.isEmpty() && failure == null && !interrupted;
    }
}
