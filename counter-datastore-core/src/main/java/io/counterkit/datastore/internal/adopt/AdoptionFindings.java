package io.counterkit.datastore.internal.adopt;

import io.counterkit.NumberRange;
import java.util.List;

/**
 * What a check of records found.
 *
 * @param gaps the numbers below the highest that no record has
 * @param duplicates the numbers that more than one record has
 * @param faults other reasons against adopting, a line each
 */
public record AdoptionFindings(
        long records, long last, List<NumberRange> gaps, List<Long> duplicates, List<String> faults, boolean adopted) {
    public AdoptionFindings {
        gaps = List.copyOf(gaps);
        duplicates = List.copyOf(duplicates);
        faults = List.copyOf(faults);
    }

    boolean isClean() {
        return gaps.isEmpty() && duplicates.isEmpty() && faults.isEmpty();
    }
}
