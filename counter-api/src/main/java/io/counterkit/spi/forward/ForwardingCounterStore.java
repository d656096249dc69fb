package io.counterkit.spi.forward;

import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.Watch;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Listening;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Passes each call to another {@link CounterStore}. Override the methods whose calls you change.
 *
 * <p>{@link #fastPath} returns null instead of calling the store, so that every add reaches {@link #add}. A subclass
 * that does not have to see each add may return the fast path of {@link #store}. Thread-safe if the store is.
 */
public class ForwardingCounterStore implements CounterStore {
    /** The store that receives the calls. */
    protected final CounterStore store;

    /** Creates a store that passes all calls to {@code store}. */
    public ForwardingCounterStore(CounterStore store) {
        this.store = store;
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
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        return store.add(requests, commit);
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
    public @Nullable Listening listen(String name, Runnable changed) {
        return store.listen(name, changed);
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
