package io.counterkit.inmemory;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.inmemory.internal.store.SequenceTable;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Listening;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Passes the calls of the SPI through the fault gate to the {@link SequenceTable}. */
final class InMemorySequences implements SequenceStore {
    private final BatchLimits limits;
    private final SequenceTable sequences;
    private final FaultGate gate;

    InMemorySequences(InMemoryStore store, FaultGate gate) {
        this.limits = store.options().batches();
        this.sequences = store.sequences();
        this.gate = gate;
    }

    @Override
    public BatchLimits limits() {
        return limits;
    }

    @Override
    public CompletableFuture<List<Result<Entry>>> append(String sequence, List<AppendRequest> requests, Commit commit) {
        return gate.change(sequence, commit, () -> sequences.append(sequence, requests, commit));
    }

    @Override
    public CompletableFuture<Tail> tail(String sequence, Call call) {
        return gate.read(List.of(sequence), () -> sequences.tail(sequence));
    }

    @Override
    public Listening listen(String sequence, Runnable changed) {
        return sequences.listen(sequence, changed);
    }

    @Override
    public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
        return gate.read(List.of(sequence), () -> sequences.read(sequence, range));
    }

    @Override
    public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
        return gate.change(sequence, commit, () -> sequences.erase(sequence, number, commit));
    }

    @Override
    public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
        return gate.change(sequence, commit, () -> sequences.seal(sequence, forward, commit));
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return gate.read(List.of(), () -> sequences.names().page(prefix, cursor, limit));
    }
}
