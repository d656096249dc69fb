package io.counterkit.cli;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.Tail;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A backend in memory that a subclass alters in one way; each request comes alone and is answered at once. */
class AlteredBackend implements CounterBackend {
    final InMemoryStore store = InMemoryStore.create();
    private final InMemoryBackend memory = InMemoryBackend.over(store);

    CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
        return memory.counters().add(List.of(request), commit);
    }

    CompletableFuture<List<Result<Entry>>> append(String sequence, AppendRequest request, Commit commit) {
        return memory.sequences().append(sequence, List.of(request), commit);
    }

    long readTotal(long total) {
        return total;
    }

    Tail readTail(Tail tail) {
        return tail;
    }

    Entry readEntry(Entry entry) {
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

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
        return memory.resolve(token, origin, call);
    }

    @Override
    public Duration retention() {
        return memory.retention();
    }

    @Override
    public void close() {}

    private final class Adds implements CounterStore {
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
            return memory.counters()
                    .read(names, maxStaleness, call)
                    .thenApply(results -> results.stream().map(this::altered).toList());
        }

        private Result<Reading> altered(Result<Reading> result) {
            Reading reading = result.orThrow();
            return Result.of(new Reading(readTotal(reading.value()), reading.asOf(), reading.staleness()));
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return memory.counters().reset(name, commit);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return memory.counters().delete(name, commit);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return memory.counters().names(prefix, cursor, limit, call);
        }
    }

    private final class Appends implements SequenceStore {
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
            return memory.sequences().tail(sequence, call).thenApply(AlteredBackend.this::readTail);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return memory.sequences()
                    .read(sequence, range, call)
                    .thenApply(entries ->
                            entries.stream().map(AlteredBackend.this::readEntry).toList());
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return memory.sequences().erase(sequence, number, commit);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return memory.sequences().names(prefix, cursor, limit, call);
        }
    }
}
