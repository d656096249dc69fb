package io.counterkit.cli.datastore;

import io.counterkit.cli.backend.Adoptions;
import io.counterkit.datastore.cloud.Adoption;
import io.counterkit.datastore.cloud.AdoptionReport;
import io.counterkit.datastore.cloud.DatastoreCounterBackend;

/** Adopts records of the same Datastore. */
record DatastoreAdoptions(DatastoreCounterBackend backend) implements Adoptions {
    @Override
    public Findings adopt(String sequence, Records records, boolean isDryRun) {
        Adoption adoption = new Adoption(records.kind(), records.number(), records.count(), records.keyField());
        AdoptionReport found = isDryRun ? backend.checkAdoption(sequence, adoption) : backend.adopt(sequence, adoption);
        return new Findings(
                found.records(),
                found.last(),
                found.gaps(),
                found.duplicates(),
                found.faults(),
                found.adopted() && found.records() > 0);
    }
}
