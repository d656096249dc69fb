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
import io.counterkit.datastore.internal.client.RetryLoop;
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
 * Makes entries of existing records, which stay as they are. First all of them are looked at; only if nothing is wrong
 * are they read once more and appended, in runs. What an interrupted adoption left behind is gone on with.
 */
public final class Adopter {
    private static final int PAGE = 200;

    private final DatastoreContext parts;
    private final ChainName chain;
    private final Adoption adoption;
    private final Supplier<Commit> commits;

    /** @param commits gives each call its time */
    public Adopter(DatastoreContext parts, String sequence, Adoption adoption, Supplier<Commit> commits) {
        this.parts = parts;
        this.chain = ChainName.sequence(sequence);
        this.adoption = adoption;
        this.commits = commits;
    }

    public AdoptionReport adopt() {
        AdoptionCheck check = new AdoptionCheck(parts.schema(), chain.name(), adoption, parts.now());
        scan(check::record);
        AdoptionReport found = check.report(false);
        if (!found.isClean()) {
            return found;
        }
        long there = RetryLoop.reading(
                        parts.options(),
                        chain.name(),
                        commits.get(),
                        call -> parts.finder().find(chain, call))
                .number();
        if (there > found.last()) {
            throw new NotAppliedException(chain + " has " + there + " entries already, more than the " + found.last()
                    + " records of kind '" + adoption.kind() + "': adopt into a sequence of another name");
        }
        AdoptionCheck again = new AdoptionCheck(parts.schema(), chain.name(), adoption, parts.now());
        List<Entity> run = new ArrayList<>();
        scan(record -> {
            Entity entry = again.record(record);
            if (entry != null) {
                run.add(entry);
            }
            if (run.size() == ChainWriter.MAX_WEIGHT) {
                append(run);
            }
        });
        append(run);
        if (!again.report(false).equals(found)) {
            throw new NotAppliedException("records of kind '" + adoption.kind() + "' changed while " + chain
                    + " adopted them: stop their writers and adopt again");
        }
        return again.report(true);
    }

    private void append(List<Entity> run) {
        if (!run.isEmpty()) {
            Commit commit = commits.get();
            parts.writer().carryOut(chain, new AdoptChange(parts.schema(), chain, List.copyOf(run)), commit);
            run.clear();
        }
    }

    /** All records by number. */
    private void scan(Consumer<Entity> to) {
        @Nullable Object last = null;
        List<Entity> seenWithLast = new ArrayList<>();
        while (true) {
            Object from = last;
            List<Entity> page = RetryLoop.reading(
                    parts.options(), chain.name(), commits.get(), call -> page(from, PAGE + seenWithLast.size(), call));
            boolean isLast = page.size() < PAGE + seenWithLast.size();
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
                    to.accept(record);
                }
            }
            if (isLast) {
                return;
            }
        }
    }

    private List<Entity> page(@Nullable Object from, int limit, Call call) {
        Query query = parts.namespace().query(adoption.kind()).addSort(adoption.numberProperty());
        if (from != null) {
            query.setFilter(new FilterPredicate(adoption.numberProperty(), FilterOperator.GREATER_THAN_OR_EQUAL, from));
        }
        return parts.store().query(query, limit, call);
    }
}
