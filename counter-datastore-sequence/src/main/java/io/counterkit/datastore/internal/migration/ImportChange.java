package io.counterkit.datastore.internal.migration;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.NotAppliedException;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.client.WritePlan;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.ImportFormat;
import io.counterkit.spi.ImportedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Gives an absent name its imported state, once. A concurrent first add or append wants to create the same number as the
 * import: it either continues from the imported state, or the import finds the name in use.
 */
final class ImportChange implements ChainChange<ImportedState> {
    private final DatastoreContext context;
    private final ChainName chain;
    private final ImportedState state;
    private final Key marker;

    ImportChange(DatastoreContext context, ChainName chain, ImportedState state) {
        this.context = context;
        this.chain = chain;
        this.state = state;
        this.marker = context.keys().imported(chain);
    }

    /** Returns the marker: if it is stored, this import may have stored it. */
    @Override
    public List<Key> tokens() {
        return List.of(marker);
    }

    @Override
    public WritePlan<ImportedState> plan(ChainTail tail, Map<Key, Entity> found) {
        Entity stored = found.get(marker);
        if (stored != null) {
            return WritePlan.nothing(ImportFormat.read(stored));
        }
        if (!tail.isAbsent() || tail.seal() != null) {
            throw new NotAppliedException("import of " + chain + " from '" + state.origin()
                    + "': it is in use here and was not imported; import to another store or namespace");
        }
        List<Entity> run = new ArrayList<>();
        List<Entity> puts = new ArrayList<>();
        puts.add(ImportFormat.marker(context.keys(), chain, state));
        if (chain.isCounter() ? state.isPresent() : state.last() > 0) {
            puts.add(new Entity(context.keys().name(chain)));
            if (chain.isCounter()) {
                run.add(ChainEntry.ofCounter(
                        context.keys(),
                        chain,
                        ChainEntry.CounterChange.IMPORT,
                        state.value(),
                        tail.withValue(state.value()),
                        context.now(),
                        null));
            } else {
                puts.addAll(ImportFormat.places(context.keys(), chain, state));
            }
        }
        return new WritePlan<>(run, puts, List.of(), () -> state);
    }
}
