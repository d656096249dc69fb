package io.counterkit.inmemory;

import io.counterkit.Entry;
import io.counterkit.inmemory.internal.store.Chain;
import io.counterkit.inmemory.internal.store.NameTable;
import io.counterkit.inmemory.internal.store.StoredName;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Passes the calls of the SPI through the fault gate to the counters and sequences, as the source or the target of a
 * migration.
 */
final class InMemoryMigration implements MigrationStore {
    private final NameTable<? extends StoredName> counters;
    private final NameTable<Chain> sequences;
    private final FaultGate gate;

    InMemoryMigration(InMemoryStore store, FaultGate gate) {
        this.counters = store.counters().names();
        this.sequences = store.sequences().names();
        this.gate = gate;
    }

    private NameTable<? extends StoredName> table(ChangeTarget.Kind kind) {
        return kind == ChangeTarget.Kind.COUNTER ? counters : sequences;
    }

    @Override
    public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
        return gate.read(
                names,
                () -> names.stream()
                        .map(name -> Optional.<StoredName>ofNullable(table(kind).find(name))
                                .map(StoredName::state)
                                .orElseGet(() -> new NameState(false, null, null)))
                        .toList());
    }

    @Override
    public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
        return gate.read(
                List.of(sequence),
                () -> Optional.ofNullable(sequences.find(sequence)).flatMap(chain -> chain.subject(subject)));
    }

    @Override
    public CompletableFuture<ImportedState> importBase(
            ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
        return gate.repeatable(name, call, () -> table(kind).get(name).importBase(base));
    }

    @Override
    public CompletableFuture<List<Optional<ImportedState>>> bases(
            ChangeTarget.Kind kind, List<String> names, Call call) {
        return gate.read(
                names,
                () -> names.stream()
                        .map(name -> Optional.<StoredName>ofNullable(table(kind).find(name))
                                .map(StoredName::base))
                        .toList());
    }

    @Override
    public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
        return gate.repeatable(sequence, call, () -> sequences.get(sequence).importSubject(subject, isLive));
    }

    @Override
    public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
        return gate.repeatable(sequence, call, () -> sequences.get(sequence).copyIn(entries));
    }
}
