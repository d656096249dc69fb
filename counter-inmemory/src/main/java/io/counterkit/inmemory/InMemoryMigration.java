package io.counterkit.inmemory;

import io.counterkit.Entry;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a store in memory does for migrations, at either end. */
final class InMemoryMigration implements MigrationStore {
    private final InMemoryStore store;
    private final FaultGate line;

    InMemoryMigration(InMemoryStore store, FaultGate line) {
        this.store = store;
        this.line = line;
    }

    @Override
    public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
        return line.read(
                names, () -> names.stream().map(name -> state(kind, name)).toList());
    }

    private NameState state(ChangeTarget.Kind kind, String name) {
        if (kind == ChangeTarget.Kind.COUNTER) {
            return store.counters().state(name);
        }
        Chain chain = store.existingChain(name);
        return chain == null ? new NameState(false, null, null) : chain.state();
    }

    @Override
    public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
        return line.read(List.of(sequence), () -> {
            Chain chain = store.existingChain(sequence);
            return chain == null ? Optional.empty() : chain.subject(subject);
        });
    }

    @Override
    public CompletableFuture<ImportedState> importBase(
            ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
        return line.repeatable(
                name,
                call,
                () -> kind == ChangeTarget.Kind.COUNTER
                        ? store.counters().importBase(name, base)
                        : store.chain(name).importBase(base));
    }

    @Override
    public CompletableFuture<List<Optional<ImportedState>>> bases(
            ChangeTarget.Kind kind, List<String> names, Call call) {
        return line.read(
                names,
                () -> names.stream()
                        .map(name -> Optional.ofNullable(base(kind, name)))
                        .toList());
    }

    private @Nullable ImportedState base(ChangeTarget.Kind kind, String name) {
        if (kind == ChangeTarget.Kind.COUNTER) {
            return store.counters().base(name);
        }
        Chain chain = store.existingChain(name);
        return chain == null ? null : chain.base();
    }

    @Override
    public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
        return line.repeatable(sequence, call, () -> {
                    store.chain(sequence).importSubject(subject, isLive);
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
        return line.repeatable(sequence, call, () -> {
                    store.chain(sequence).copyIn(entries);
                    return true;
                })
                .thenAccept(done -> {});
    }
}
