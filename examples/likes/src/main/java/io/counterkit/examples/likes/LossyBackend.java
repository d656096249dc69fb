package io.counterkit.examples.likes;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.Watch;
import io.counterkit.examples.likes.wall.Breakage;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A backend that passes each call to another one, and drops replies to adds and appends while its {@link Breakage} says so:
 * the change is made, and the caller does not learn it. Thread-safe.
 */
final class LossyBackend implements CounterBackend {
    private final CounterBackend backend;
    private final Breakage breakage;

    LossyBackend(CounterBackend backend, Breakage breakage) {
        this.backend = backend;
        this.breakage = breakage;
    }

    private <T> CompletableFuture<T> send(int likes, Commit commit, Supplier<CompletableFuture<T>> change) {
        if (!breakage.takeTurn()) {
            return change.get();
        }
        // The caller needs it to settle what it did not learn.
        IdempotencyToken unused = commit.token();
        return change.get().thenCompose(reply -> {
            breakage.dropped(likes);
            return CompletableFuture.failedFuture(new IOException("the reply was dropped"));
        });
    }

    @Override
    public CounterStore counters() {
        return new Counting(backend.counters());
    }

    @Override
    public SequenceStore sequences() {
        return new Numbering(backend.sequences());
    }

    @Override
    public Set<Capability> capabilities() {
        return backend.capabilities();
    }

    @Override
    public MigrationStore migration() {
        return backend.migration();
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        return backend.resolve(token, target, call);
    }

    @Override
    public Duration retention() {
        return backend.retention();
    }

    @Override
    public void close() {
        backend.close();
    }

    private final class Counting implements CounterStore {
        private final CounterStore store;

        Counting(CounterStore store) {
            this.store = store;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return send(requests.size(), commit, () -> store.add(requests, commit));
        }

        @Override
        public BatchLimits limits() {
            return store.limits();
        }

        @Override
        public int weight(AddRequest request) {
            return store.weight(request);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call);
        }

        @Override
        public @Nullable Watch watch(String name, Duration cadence, Sink sink) {
            return store.watch(name, cadence, sink);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return store.reset(name, commit);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return store.delete(name, commit);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, cursor, limit, call);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return store.top(prefix, limit, call);
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            return store.seal(name, forward, commit);
        }
    }

    private final class Numbering implements SequenceStore {
        private final SequenceStore store;

        Numbering(SequenceStore store) {
            this.store = store;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return send(0, commit, () -> store.append(sequence, requests, commit));
        }

        @Override
        public BatchLimits limits() {
            return store.limits();
        }

        @Override
        public int weight(AppendRequest request) {
            return store.weight(request);
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return store.tail(sequence, call);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return store.erase(sequence, number, commit);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, cursor, limit, call);
        }

        @Override
        public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
            return store.seal(sequence, forward, commit);
        }
    }
}
