package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import io.counterkit.datastore.adopt.Adoption;
import io.counterkit.datastore.adopt.AdoptionReport;

/** Takes over records that were numbered before CounterKit was used, on a backend that can. */
@FunctionalInterface
public interface Adoptions {
    /**
     * Appends records to a sequence as entries, if they are numbered 1 to n. Can be repeated.
     *
     * @param isDryRun whether to check the records only
     * @throws NotAppliedException if the sequence has other entries, or the store fails; some entries may have been appended
     */
    AdoptionReport adopt(String sequence, Adoption records, boolean isDryRun);
}
