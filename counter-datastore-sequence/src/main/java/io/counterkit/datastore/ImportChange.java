package io.counterkit.datastore;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Base;
import io.counterkit.spi.Origin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets a name that is absent begin with a base, and remembers it. Whoever appends or adds first meanwhile wants to create
 * the same number, so either he goes on from the base, or the import finds the name in use.
 */
final class ImportChange implements ChainChange<Base> {
    private final ImportFormat format;
    private final ChainName chain;
    private final Base base;
    private final Instant now;

    ImportChange(ImportFormat format, ChainName chain, Base base, Instant now) {
        this.format = format;
        this.chain = chain;
        this.base = base;
        this.now = now;
    }

    /** The marker: whoever sees it knows that this import may have been the one. */
    @Override
    public List<Key> tokens() {
        return List.of(format.schema().importKey(chain));
    }

    @Override
    public Judgement<Base> judge(Snapshot snapshot) {
        Entity marker = snapshot.read().get(format.schema().importKey(chain));
        if (marker != null) {
            Base begun = ImportFormat.base(marker);
            return Judgement.nothing(() -> begun);
        }
        boolean isCounter = chain.kind() == Origin.Kind.COUNTER;
        boolean isAbsent =
                isCounter ? CounterEnd.of(snapshot).isAbsent() : snapshot.end().newest() == null;
        if (!isAbsent || snapshot.end().seal() != null) {
            throw new NotAppliedException("import of " + chain + " from '" + base.origin()
                    + "': it is in use here and was not imported; import to another store or namespace");
        }
        List<Entity> run = new ArrayList<>();
        List<Entity> puts = new ArrayList<>();
        puts.add(format.marker(chain, base));
        if (isCounter && base.isPresent()) {
            run.add(format.total(chain.name(), base, snapshot.end().number() + 1, now));
        } else if (!isCounter && base.last() > 0) {
            puts.addAll(format.places(chain.name(), base));
        }
        if (isCounter ? base.isPresent() : base.last() > 0) {
            puts.add(new Entity(format.schema().nameKey(chain)));
        }
        return new Judgement<>(run, puts, List.of(), () -> base);
    }
}
