package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes over records that were numbered before CounterKit was used, on a backend that can. */
public interface Adoptions {
    /**
     * Appends records to a sequence as entries, if they are numbered 1 to n. Can be repeated.
     *
     * @param isDryRun whether to check the records only
     * @throws NotAppliedException if the sequence has other entries, or the store fails; some entries may have been appended
     */
    Findings adopt(String sequence, Records records, boolean isDryRun);

    /**
     * Describes records.
     *
     * @param kind their kind
     * @param number the property with the number
     * @param count the property with the running count; null for none
     * @param keyField the field of the entry for the key of the record; null for none
     */
    record Records(
            String kind,
            String number,
            @Nullable String count,
            @Nullable String keyField) {}

    /**
     * What was found.
     *
     * @param last the highest number
     * @param gaps the numbers below it that no record has
     * @param duplicates the numbers that several records have
     * @param faults other reasons against adopting, a line each
     * @param adopted whether the sequence holds an entry for each record now
     */
    record Findings(
            long records,
            long last,
            List<NumberRange> gaps,
            List<Long> duplicates,
            List<String> faults,
            boolean adopted) {
        public Findings {
            gaps = List.copyOf(gaps);
            duplicates = List.copyOf(duplicates);
            faults = List.copyOf(faults);
        }

        /** Returns whether there are records, and all can be adopted. */
        public boolean isClean() {
            return records > 0 && gaps.isEmpty() && duplicates.isEmpty() && faults.isEmpty();
        }
    }
}
