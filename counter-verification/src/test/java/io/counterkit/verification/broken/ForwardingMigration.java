package io.counterkit.verification.broken;

import io.counterkit.Entry;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Forwards to another migration store. */
class ForwardingMigration implements MigrationStore {
    final MigrationStore store;

    ForwardingMigration(MigrationStore store) {
        this.store = store;
    }

    @Override
    public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
        return store.states(kind, names, call);
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
