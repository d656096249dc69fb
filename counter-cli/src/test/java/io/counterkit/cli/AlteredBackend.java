package io.counterkit.cli;

import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.Tail;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A backend in memory that a subclass alters in one way; each request comes alone and is answered at once. */
public class AlteredBackend extends ForwardingCounterBackend {
    public final InMemoryStore store;

    public AlteredBackend() {
        this(InMemoryStore.create());
    }

    private AlteredBackend(InMemoryStore store) {
        super(InMemoryBackend.over(store));
        this.store = store;
    }

    protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
        return backend.counters().add(List.of(request), commit);
    }

    protected CompletableFuture<List<Result<Entry>>> append(String sequence, AppendRequest request, Commit commit) {
        return backend.sequences().append(sequence, List.of(request), commit);
    }

    protected long readTotal(long total) {
        return total;
    }

    protected Tail readTail(Tail tail) {
        return tail;
    }

    protected Entry readEntry(Entry entry) {
        return entry;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public CounterStore counters() {
        return new Adds();
    }

    @Override
    public SequenceStore sequences() {
        return new Appends();
    }

    private final class Adds extends ForwardingCounterStore {
        Adds() {
            super(backend.counters());
        }

        @Override
        public BatchLimits limits() {
            return BatchLimits.none();
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return AlteredBackend.this.add(requests.get(0), commit);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call)
                    .thenApply(results -> results.stream().map(this::altered).toList());
        }

        private Result<Reading> altered(Result<Reading> result) {
            Reading reading = result.orThrow();
            return Result.of(new Reading(readTotal(reading.value()), reading.asOf(), reading.staleness()));
        }
    }

    private final class Appends extends ForwardingSequenceStore {
        Appends() {
            super(backend.sequences());
        }

        @Override
        public BatchLimits limits() {
            return BatchLimits.none();
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return AlteredBackend.this.append(sequence, requests.get(0), commit);
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return store.tail(sequence, call).thenApply(AlteredBackend.this::readTail);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries ->
                            entries.stream().map(AlteredBackend.this::readEntry).toList());
        }
    }
}
