package io.counterkit.datastore.internal.migration;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.NotAppliedException;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.Snapshot;
import io.counterkit.datastore.internal.counter.CounterEnd;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ImportFormat;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets a name that is absent begin with a base, and remembers it. Whoever appends or adds first meanwhile wants to create
 * the same number, so either he goes on from the base, or the import finds the name in use.
 */
final class ImportChange implements ChainChange<ImportedState> {
    private final ImportFormat format;
    private final ChainName chain;
    private final ImportedState base;
    private final Instant now;

    ImportChange(ImportFormat format, ChainName chain, ImportedState base, Instant now) {
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
    public Judgement<ImportedState> judge(Snapshot snapshot) {
        Entity marker = snapshot.read().get(format.schema().importKey(chain));
        if (marker != null) {
            ImportedState begun = ImportFormat.base(marker);
            return Judgement.nothing(() -> begun);
        }
        boolean isCounter = chain.kind() == ChangeTarget.Kind.COUNTER;
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
