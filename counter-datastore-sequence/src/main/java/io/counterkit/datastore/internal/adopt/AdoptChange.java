package io.counterkit.datastore.internal.adopt;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.NotAppliedException;
import io.counterkit.SealedException;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.Snapshot;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Appends a run of adopted records under their own numbers, those that are not there yet. */
final class AdoptChange implements ChainChange<Boolean> {
    private final DatastoreSchema schema;
    private final ChainName chain;
    private final List<Entity> run;

    AdoptChange(DatastoreSchema schema, ChainName chain, List<Entity> run) {
        this.schema = schema;
        this.chain = chain;
        this.run = run;
    }

    @Override
    public int width() {
        return run.size();
    }

    @Override
    public List<Key> tokens() {
        return List.of();
    }

    @Override
    public Judgement<Boolean> judge(Snapshot snapshot) {
        if (snapshot.end().seal() != null) {
            throw new SealedException(chain.name(), snapshot.end().seal());
        }
        long last = snapshot.end().number();
        ChainEntry newest = snapshot.end().newest();
        List<Entity> missing = new ArrayList<>();
        for (Entity entry : run) {
            long number = schema.link(chain, entry).number();
            if (newest != null && number == last && !isSame(entry, newest.entity())) {
                throw new NotAppliedException("entry " + number + " of " + chain
                        + " is not the record of that number: adopt into a sequence of another name");
            }
            if (number > last) {
                missing.add(entry);
            }
        }
        if (missing.isEmpty()) {
            return Judgement.nothing(() -> true);
        }
        long before = last;
        for (Entity entry : missing) {
            long number = schema.link(chain, entry).number();
            if (number != before + 1) {
                throw new NotAppliedException(
                        "record " + number + " cannot follow entry " + before + " of " + chain + ": adopt again");
            }
            before = number;
        }
        List<Entity> puts = last == 0 ? List.of(new Entity(schema.nameKey(chain))) : List.of();
        return new Judgement<>(missing, puts, List.of(), () -> true);
    }

    private static boolean isSame(Entity record, Entity stored) {
        return Objects.equals(record.getProperty(DatastoreSchema.TOKEN), stored.getProperty(DatastoreSchema.TOKEN));
    }
}
