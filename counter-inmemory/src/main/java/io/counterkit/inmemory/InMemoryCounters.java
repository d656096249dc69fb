package io.counterkit.inmemory;

import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.inmemory.internal.store.CounterTable;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Passes the calls of the SPI through the fault gate to the {@link CounterTable}. */
final class InMemoryCounters implements CounterStore {
    private final BatchLimits limits;
    private final CounterTable counters;
    private final FaultGate gate;

    InMemoryCounters(InMemoryStore store, FaultGate gate) {
        this.limits = store.options().batches();
        this.counters = store.counters();
        this.gate = gate;
    }

    @Override
    public BatchLimits limits() {
        return limits;
    }

    @Override
    public FastPath fastPath(String name) {
        FastPath fastPath = counters.fastPath(name);
        return delta -> gate.isOpen() && fastPath.tryAdd(delta);
    }

    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        if (gate.isOpen()) {
            return FaultGate.answer(() -> counters.add(requests, commit));
        }
        List<String> names = requests.stream().map(AddRequest::name).toList();
        return gate.change(names, commit, () -> counters.add(requests, commit));
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        return gate.read(names, () -> names.stream().map(counters::read).toList());
    }

    @Override
    public CompletableFuture<Void> reset(String name, Commit commit) {
        return gate.change(name, commit, () -> counters.reset(name, commit));
    }

    @Override
    public CompletableFuture<Void> delete(String name, Commit commit) {
        return gate.change(name, commit, () -> counters.delete(name, commit));
    }

    @Override
    public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
        return gate.change(name, commit, () -> counters.seal(name, forward, commit));
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return gate.read(List.of(), () -> counters.names().page(prefix, cursor, limit));
    }

    @Override
    public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
        return gate.read(List.of(), () -> counters.top(prefix, limit));
    }
}
