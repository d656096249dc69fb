package io.counterkit.datastore.internal.adopt;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Query;
import com.google.appengine.api.datastore.Query.FilterOperator;
import com.google.appengine.api.datastore.Query.FilterPredicate;
import io.counterkit.NotAppliedException;
import io.counterkit.datastore.Adoption;
import io.counterkit.datastore.AdoptionReport;
import io.counterkit.datastore.internal.chain.ChainWriter;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends existing records as entries, and leaves the records as they are. Checks all records first; only if they are
 * clean, reads them again and appends them in runs. Resumes an interrupted adoption.
 */
public final class Adopter {
    private static final int PAGE = 200;

    private final DatastoreContext context;
    private final ChainName sequence;
    private final Adoption adoption;
    private final Supplier<Commit> commits;

    /** @param commits creates a commit, with its time, for each call */
    public Adopter(DatastoreContext context, String sequence, Adoption adoption, Supplier<Commit> commits) {
        this.context = context;
        this.sequence = ChainName.sequence(sequence);
        this.adoption = adoption;
        this.commits = commits;
    }

    /** Adopts the records if they are clean, and reports what it found. */
    public AdoptionReport adopt() {
        AdoptionCheck check = new AdoptionCheck(context.keys(), sequence.name(), adoption, context.now());
        scan(check::check);
        AdoptionReport found = check.report(false);
        if (!found.isClean()) {
            return found;
        }
        Commit call = commits.get();
        long last = context.reading(sequence.name(), call)
                .run(() -> context.finder().find(sequence, call))
                .number();
        if (last > found.last()) {
            throw new NotAppliedException(sequence + " has " + last + " entries already, more than the " + found.last()
                    + " records of kind '" + adoption.kind() + "': adopt into a sequence of another name");
        }
        AdoptionCheck again = new AdoptionCheck(context.keys(), sequence.name(), adoption, context.now());
        List<Entity> run = new ArrayList<>();
        scan(record -> {
            Entity entry = again.check(record);
            if (entry != null) {
                run.add(entry);
            }
            if (run.size() == ChainWriter.MAX_WEIGHT) {
                append(run);
            }
        });
        append(run);
        if (!again.report(false).equals(found)) {
            throw new NotAppliedException("records of kind '" + adoption.kind() + "' changed while " + sequence
                    + " adopted them: stop their writers and adopt again");
        }
        return again.report(true);
    }

    private void append(List<Entity> run) {
        if (!run.isEmpty()) {
            Commit commit = commits.get();
            context.write(sequence, new AdoptChange(context.keys(), sequence, List.copyOf(run)), commit);
            run.clear();
        }
    }

    /** Passes all records to a consumer, in the order of their numbers. */
    private void scan(Consumer<Entity> consumer) {
        @Nullable Object last = null;
        List<Entity> seenWithLast = new ArrayList<>();
        while (true) {
            Object from = last;
            Call call = commits.get();
            int limit = PAGE + seenWithLast.size();
            List<Entity> page = context.reading(sequence.name(), call).run(() -> page(from, limit, call));
            for (Entity record : page) {
                Object number = record.getProperty(adoption.numberProperty());
                if (!Objects.equals(number, last)) {
                    seenWithLast.clear();
                }
                boolean isNew =
                        seenWithLast.stream().noneMatch(seen -> seen.getKey().equals(record.getKey()));
                if (isNew) {
                    seenWithLast.add(record);
                    last = number;
                    consumer.accept(record);
                }
            }
            if (page.size() < limit) {
                return;
            }
        }
    }

    private List<Entity> page(@Nullable Object from, int limit, Call call) {
        Query query = context.namespace().query(adoption.kind()).addSort(adoption.numberProperty());
        if (from != null) {
            query.setFilter(new FilterPredicate(adoption.numberProperty(), FilterOperator.GREATER_THAN_OR_EQUAL, from));
        }
        return context.client().query(query, limit, call);
    }
}
