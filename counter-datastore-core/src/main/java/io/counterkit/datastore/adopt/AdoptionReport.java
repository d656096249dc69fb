package io.counterkit.datastore.adopt;

import io.counterkit.NumberRange;
import java.util.List;

/**
 * The result of checking existing records, and whether they were adopted.
 *
 * @param records the number of records
 * @param last the highest number
 * @param gaps the numbers below the highest that no record has
 * @param duplicates the numbers that more than one record has
 * @param faults other reasons not to adopt the records, one line each, at most 100
 * @param adopted whether the sequence now holds an entry for each record; if there is a gap, duplicate or fault,
 *     nothing was changed
 */
public record AdoptionReport(
        long records, long last, List<NumberRange> gaps, List<Long> duplicates, List<String> faults, boolean adopted) {
    public AdoptionReport {
        gaps = List.copyOf(gaps);
        duplicates = List.copyOf(duplicates);
        faults = List.copyOf(faults);
    }

    /** Returns whether the records are numbered 1 to n, each once, and can be entries. */
    public boolean isClean() {
        return gaps.isEmpty() && duplicates.isEmpty() && faults.isEmpty();
    }
}
