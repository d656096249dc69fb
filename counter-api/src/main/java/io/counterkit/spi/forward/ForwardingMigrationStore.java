package io.counterkit.spi.forward;

import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Passes each call to another {@link MigrationStore}. Override the methods whose calls you change. Thread-safe if the
 * store is.
 */
public class ForwardingMigrationStore implements MigrationStore {
    /** The store that receives the calls. */
    protected final MigrationStore store;

    /** Creates a store that passes all calls to {@code store}. */
    public ForwardingMigrationStore(MigrationStore store) {
        this.store = store;
    }

    @Override
    public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
        return store.states(kind, names, call);
    }

    @Override
    public CompletableFuture<List<Long>> lateAdds(List<String> counters, Call call) {
        return store.lateAdds(counters, call);
    }

    @Override
    public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
        return store.subject(sequence, subject, call);
    }

    @Override
    public CompletableFuture<ImportedState> importBase(
            ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
        return store.importBase(kind, name, base, call);
    }

    @Override
    public @Nullable NotAppliedException refusalOf(ChangeTarget.Kind kind, String name) {
        return store.refusalOf(kind, name);
    }

    @Override
    public CompletableFuture<List<Optional<ImportedState>>> bases(
            ChangeTarget.Kind kind, List<String> names, Call call) {
        return store.bases(kind, names, call);
    }

    @Override
    public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
        return store.importSubject(sequence, subject, isLive, call);
    }

    @Override
    public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
        return store.copy(sequence, entries, call);
    }
}
