package io.counterkit.datastore.internal.chain;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.spi.ChangeTarget;
import java.util.ArrayList;
import java.util.List;

/** Seals a chain: the seal takes the place behind the newest entry, where whoever wants that number meets it. */
final class SealChange implements ChainChange<Seal> {
    private final DatastoreSchema schema;
    private final ChainName chain;
    private final String forward;
    private final CommitTokens covers;

    SealChange(DatastoreSchema schema, ChainName chain, String forward, CommitTokens covers) {
        this.schema = schema;
        this.chain = chain;
        this.forward = forward;
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
    public Judgement<Seal> judge(Snapshot snapshot) {
        Seal there = snapshot.end().seal();
        if (there != null) {
            if (!there.forward().equals(forward)) {
                throw new SealedException(chain.name(), there);
            }
            return Judgement.nothing(() -> there);
        }
        if (snapshot.note(covers.keyOf(null)) != null) {
            throw new NotAppliedException(
                    "seal of " + chain + ": token " + covers.of(null) + " was resolved as not applied");
        }
        long last = snapshot.end().number();
        long value = snapshot.end().value();
        Seal seal = new Seal(forward, chain.kind() == ChangeTarget.Kind.COUNTER ? value : last, value);
        List<Entity> puts = new ArrayList<>();
        puts.add(schema.seal(chain, seal, last + 1, covers.now(), covers.of(null)));
        puts.add(covers.note(null, new TokenNote.Commit(chain.name(), List.of())));
        if (last == 0 && chain.kind() == ChangeTarget.Kind.SEQUENCE) { // counters are listed only while present
            puts.add(new Entity(schema.nameKey(chain)));
        }
        return new Judgement<>(List.of(), puts, List.of(), () -> seal);
    }
}
