package io.counterkit.verification.broken.flaw;

import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.Tail;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Listening;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores counters and sequences under other names and cannot restore the original ones. */
public final class Renamed {
    private Renamed() {}

    public static CounterBackend of(CounterBackend right, UnaryOperator<String> key) {
        return new ForwardingCounterBackend(
                right, new Counters(right.counters(), key), new Sequences(right.sequences(), key));
    }

    private static final class Counters extends ForwardingCounterStore {
        private final UnaryOperator<String> key;

        Counters(CounterStore store, UnaryOperator<String> key) {
            super(store);
            this.key = key;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(
                    requests.stream()
                            .map(request -> new AddRequest(key.apply(request.name()), request.delta(), request.token()))
                            .toList(),
                    commit);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names.stream().map(key).toList(), maxStaleness, call);
        }

        @Override
        public @Nullable Listening listen(String name, Runnable changed) {
            return store.listen(key.apply(name), changed);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return store.reset(key.apply(name), commit);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return store.delete(key.apply(name), commit);
        }
    }

    private static final class Sequences extends ForwardingSequenceStore {
        private final UnaryOperator<String> key;

        Sequences(SequenceStore store, UnaryOperator<String> key) {
            super(store);
            this.key = key;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(key.apply(sequence), requests, commit);
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return store.tail(key.apply(sequence), call);
        }

        @Override
        public @Nullable Listening listen(String sequence, Runnable changed) {
            return store.listen(key.apply(sequence), changed);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(key.apply(sequence), range, call);
        }
    }
}
