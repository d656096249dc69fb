package io.counterkit.migration;

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
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Makes every call of another backend over a {@link Connection}. */
public class ConnectedBackend extends ForwardingCounterBackend {
    private final String side;
    private final Connection connection;

    /** @param side source or target, for the names of the calls */
    public ConnectedBackend(String side, CounterBackend backend, Connection connection) {
        super(backend);
        this.side = side;
        this.connection = connection;
    }

    private String what(String method, String name) {
        return side + "." + method + "(" + name + ")";
    }

    private static String of(ChangeTarget.Kind kind) {
        return kind == ChangeTarget.Kind.COUNTER ? "OfCounter" : "OfSequence";
    }

    @Override
    public CounterStore counters() {
        return new Counters(backend.counters());
    }

    @Override
    public SequenceStore sequences() {
        return new Sequences(backend.sequences());
    }

    @Override
    public MigrationStore migration() {
        return new Migration(backend.migration());
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
        return connection.pass(what("resolve", token.value()), call, () -> backend.resolve(token, origin, call));
    }

    private final class Counters extends ForwardingCounterStore {
        Counters(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return connection.pass(what("add", requests.get(0).name()), commit, () -> store.add(requests, commit));
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return connection.pass(what("read", names.get(0)), call, () -> store.read(names, maxStaleness, call));
        }

        /** Returns null, so that each read of a watch is a call. */
        @Override
        public @Nullable Watch watch(String name, Duration cadence, Sink sink) {
            return null;
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return connection.pass(what("reset", name), commit, () -> store.reset(name, commit));
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return connection.pass(what("delete", name), commit, () -> store.delete(name, commit));
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return connection.pass(what("names", prefix), call, () -> store.names(prefix, cursor, limit, call));
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return connection.pass(what("top", prefix), call, () -> store.top(prefix, limit, call));
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            return connection.pass(what("sealCounter", name), commit, () -> store.seal(name, forward, commit));
        }
    }

    private final class Sequences extends ForwardingSequenceStore {
        Sequences(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return connection.pass(what("append", sequence), commit, () -> store.append(sequence, requests, commit));
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return connection.pass(what("tail", sequence), call, () -> store.tail(sequence, call));
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return connection.pass(what("entries", sequence), call, () -> store.read(sequence, range, call));
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return connection.pass(what("erase", sequence), commit, () -> store.erase(sequence, number, commit));
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return connection.pass(what("sequences", prefix), call, () -> store.names(prefix, cursor, limit, call));
        }

        @Override
        public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
            return connection.pass(what("sealSequence", sequence), commit, () -> store.seal(sequence, forward, commit));
        }
    }

    private final class Migration extends ForwardingMigrationStore {
        Migration(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
            return connection.pass(
                    what("states" + of(kind), names.get(0)), call, () -> store.states(kind, names, call));
        }

        @Override
        public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
            return connection.pass(what("subject", sequence), call, () -> store.subject(sequence, subject, call));
        }

        @Override
        public CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            return connection.pass(
                    what("importBase" + of(kind), name), call, () -> store.importBase(kind, name, base, call));
        }

        @Override
        public CompletableFuture<List<Optional<ImportedState>>> bases(
                ChangeTarget.Kind kind, List<String> names, Call call) {
            return connection.pass(what("bases" + of(kind), names.get(0)), call, () -> store.bases(kind, names, call));
        }

        @Override
        public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
            return connection.pass(
                    what("importSubject", sequence), call, () -> store.importSubject(sequence, subject, isLive, call));
        }

        @Override
        public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
            return connection.pass(what("copy", sequence), call, () -> store.copy(sequence, entries, call));
        }
    }
}
