package io.counterkit.spi.forward;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.Tail;
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

/**
 * Passes each call to another {@link SequenceStore}. Override the methods whose calls you change. Thread-safe if the
 * store is.
 */
public class ForwardingSequenceStore implements SequenceStore {
    /** The store that receives the calls. */
    protected final SequenceStore store;

    /** Creates a store that passes all calls to {@code store}. */
    public ForwardingSequenceStore(SequenceStore store) {
        this.store = store;
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
    public CompletableFuture<List<Result<Entry>>> append(String sequence, List<AppendRequest> requests, Commit commit) {
        return store.append(sequence, requests, commit);
    }

    @Override
    public CompletableFuture<Tail> tail(String sequence, Call call) {
        return store.tail(sequence, call);
    }

    @Override
    public @Nullable Listening listen(String sequence, Runnable changed) {
        return store.listen(sequence, changed);
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
