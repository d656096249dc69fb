package io.counterkit.datastore.internal.counter;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.CommitTokens;
import io.counterkit.datastore.internal.chain.Snapshot;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.datastore.internal.schema.Total;
import java.util.List;

/** Resets or deletes a counter, if it is present: an entry like others, after which the total is 0. */
final class ClearChange implements ChainChange<Boolean> {
    private final DatastoreSchema schema;
    private final ChainName chain;
    private final DatastoreSchema.CounterChange change;
    private final CommitTokens covers;

    ClearChange(DatastoreSchema schema, String counter, DatastoreSchema.CounterChange change, CommitTokens covers) {
        this.schema = schema;
        this.chain = ChainName.counter(counter);
        this.change = change;
        this.covers = covers;
    }

    @Override
    public boolean isRare() {
        return true;
    }

    @Override
    public List<Key> tokens() {
        return covers.keys();
    }

    @Override
    public Judgement<Boolean> judge(Snapshot snapshot) {
        TokenNote note = snapshot.note(covers.keyOf(null));
        if (note instanceof TokenNote.Voided) {
            throw new NotAppliedException((change == DatastoreSchema.CounterChange.RESET ? "reset" : "deletion")
                    + " of '" + chain.name() + "': token " + covers.of(null) + " was resolved as not applied");
        }
        if (note != null) {
            return Judgement.nothing(() -> true);
        }
        Seal seal = snapshot.end().seal();
        if (seal != null) {
            throw new SealedException(chain.name(), seal);
        }
        CounterEnd end = CounterEnd.of(snapshot);
        if (end.isAbsent()) {
            return Judgement.nothing(() -> false);
        }
        Total total = end.total();
        Entity entry = schema.counterEntry(
                chain.name(),
                change,
                total.overflown() ? 0 : -total.value(),
                snapshot.end().number() + 1,
                Total.ZERO,
                covers.now(),
                covers.of(null));
        return new Judgement<>(
                List.of(entry),
                List.of(covers.note(null, new TokenNote.Commit(chain.name(), List.of()))),
                change == DatastoreSchema.CounterChange.DELETE ? List.of(schema.nameKey(chain)) : List.of(),
                () -> true);
    }
}
