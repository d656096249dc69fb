package io.counterkit.datastore;

import io.counterkit.NumberRange;
import java.util.List;

/**
 * What was found among existing records, and whether they were adopted.
 *
 * @param records how many there are
 * @param last the highest number
 * @param gaps numbers below the highest that no record has
 * @param duplicates numbers that more than one record has
 * @param faults what else stands in the way, a line each: at most 100
 * @param adopted whether the sequence now holds an entry for each of them; if there is any gap, duplicate or fault,
 *     nothing was touched
 */
public record AdoptionReport(
        long records, long last, List<NumberRange> gaps, List<Long> duplicates, List<String> faults, boolean adopted) {
    public AdoptionReport {
        gaps = List.copyOf(gaps);
        duplicates = List.copyOf(duplicates);
        faults = List.copyOf(faults);
    }

    /** Whether they are numbered 1 to n, each once, and can be entries. */
    public boolean isClean() {
        return gaps.isEmpty() && duplicates.isEmpty() && faults.isEmpty();
    }
}
