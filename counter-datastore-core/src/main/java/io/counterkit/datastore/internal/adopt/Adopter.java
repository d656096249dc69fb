package io.counterkit.datastore.internal.adopt;

import io.counterkit.NotAppliedException;
import io.counterkit.SealedException;
import io.counterkit.datastore.adopt.Adoption;
import io.counterkit.datastore.adopt.AdoptionReport;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreRecord;
import io.counterkit.datastore.internal.store.WritePlan;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Appends existing records as entries, and does not change the records. First checks all records; if they are clean,
 * reads them again and appends them in runs. Resumes an interrupted adoption.
 */
public final class Adopter {
    private static final int PAGE = 200;

    private final DatastoreContext context;
    private final ChainName sequence;
    private final Adoption adoption;

    public Adopter(DatastoreContext context, String sequence, Adoption adoption) {
        this.context = context;
        this.sequence = ChainName.sequence(Limits.checkName("sequence", sequence));
        this.adoption = adoption;
    }

    /** Checks the records and the sequence, changes nothing, and reports the result. */
    public AdoptionReport check() {
        context.client().checkThread();
        AdoptionCheck check = newCheck();
        scan(check::check);
        AdoptionReport found = check.report(false);
        if (!found.isClean()) {
            return found;
        }
        Commit call = context.ownCommit();
        ChainTail tail = context.readLoop(List.of(sequence.name()), call)
                .run(() -> context.finder().find(sequence, call));
        if (tail.seal() != null) {
            throw new SealedException(sequence.name(), tail.seal());
        }
        if (tail.number() > found.last()) {
            throw new NotAppliedException(
                    sequence + " has " + tail.number() + " entries already, more than the " + found.last()
                            + " records of kind '" + adoption.kind() + "': adopt into a sequence of another name");
        }
        return found;
    }

    /** Adopts the records if they are clean, and reports the result. */
    public AdoptionReport adopt() {
        AdoptionReport found = check();
        if (!found.isClean()) {
            return found;
        }
        AdoptionCheck again = newCheck();
        List<StoreEntity> run = new ArrayList<>();
        scan(record -> {
            StoreEntity entry = again.check(record);
            if (run.size() == context.mostWeight()) {
                append(run);
            }
            if (entry != null) {
                run.add(entry);
            }
        });
        if (!run.isEmpty()) {
            StoreEntity last = run.get(run.size() - 1);
            append(run);
            checkIsStored(last);
        }
        if (!again.report(false).equals(found)) {
            throw new NotAppliedException("records of kind '" + adoption.kind() + "' changed while " + sequence
                    + " adopted them: stop their writers and adopt again");
        }
        return again.report(true);
    }

    private AdoptionCheck newCheck() {
        return new AdoptionCheck(context.keys(), sequence.name(), adoption, context.now());
    }

    private void append(List<StoreEntity> run) {
        List<StoreEntity> records = List.copyOf(run);
        context.write(
                ChainChange.of(sequence, records.size(), List.of(), (tail, found) -> plan(records, tail)),
                context.ownCommit());
        run.clear();
    }

    /**
     * Checks that the entry with the number of the last record is that record. Then the same is true of all earlier
     * records, since each run is appended directly after a record. The runs themselves do not notice it if the sequence
     * has entries beyond the last record.
     */
    private void checkIsStored(StoreEntity record) {
        Commit call = context.ownCommit();
        StoreEntity stored = context.readLoop(List.of(sequence.name()), call)
                .run(() -> context.client().get(null, List.of(record.key()), call))
                .get(record.key());
        ChainEntry adopted = ChainEntry.read(context.keys(), sequence, record);
        checkIsRecord(
                adopted,
                stored == null
                        ? null
                        : ChainEntry.read(context.keys(), sequence, stored).token());
    }

    private void checkIsRecord(ChainEntry record, @Nullable String stored) {
        if (!Objects.equals(record.token(), stored)) {
            throw new NotAppliedException("entry " + record.number() + " of " + sequence
                    + " is not the record of that number: adopt into a sequence of another name");
        }
    }

    /** Plans to append the records that are not in the sequence yet, under their own numbers. */
    private WritePlan<Boolean> plan(List<StoreEntity> records, ChainTail tail) {
        if (tail.seal() != null) {
            throw new SealedException(sequence.name(), tail.seal());
        }
        List<StoreEntity> missing = new ArrayList<>();
        for (StoreEntity record : records) {
            ChainEntry entry = ChainEntry.read(context.keys(), sequence, record);
            if (entry.number() == tail.number()) {
                checkIsRecord(entry, tail.token());
            }
            if (entry.number() > tail.number()) {
                long last = tail.number() + missing.size();
                if (entry.number() != last + 1) {
                    throw new NotAppliedException("record " + entry.number() + " cannot follow entry " + last + " of "
                            + sequence + ": adopt again");
                }
                missing.add(record);
            }
        }
        boolean isFirst = tail.number() == 0 && !missing.isEmpty();
        List<StoreEntity> puts =
                isFirst ? List.of(new StoreEntity(context.keys().name(sequence))) : List.of();
        return new WritePlan<>(missing, puts, List.of(), () -> true);
    }

    /** Passes all records to a consumer, in the order of their numbers. */
    private void scan(Consumer<StoreRecord> consumer) {
        @Nullable Object last = null;
        Set<String> seenWithLast = new HashSet<>();
        while (true) {
            Object from = last;
            Call call = context.ownCommit();
            int limit = PAGE + seenWithLast.size();
            List<StoreRecord> page = context.readLoop(List.of(sequence.name()), call)
                    .run(() -> context.client().records(adoption.kind(), adoption.numberProperty(), from, limit, call));
            for (StoreRecord record : page) {
                if (!Objects.equals(record.position(), last)) {
                    seenWithLast.clear();
                }
                if (seenWithLast.add(record.key())) {
                    last = record.position();
                    consumer.accept(record);
                }
            }
            if (page.size() < limit) {
                return;
            }
        }
    }
}
