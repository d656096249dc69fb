package io.counterkit.internal.batch;

import io.counterkit.Entry;
import io.counterkit.Resolution;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A batch of appends to one sequence, each of which gets its own entry. */
final class AppendBatch extends Batch<PendingAppend, Entry> {
    private final CounterBackend backend;
    private final SequenceStore store;
    private final List<AppendRequest> requests = new ArrayList<>();

    AppendBatch(CounterBackend backend, SequenceStore store, int maxWeight, Commit commit) {
        super(maxWeight, commit);
        this.backend = backend;
        this.store = store;
    }

    @Override
    boolean tryTake(PendingAppend append) {
        int more = store.weight(append.request);
        if (!fits(append, more)) {
            return false;
        }
        if (tryJoin(append, requests.size(), more)) {
            requests.add(append.request);
        }
        return true;
    }

    @Override
    CompletableFuture<List<Result<Entry>>> send() {
        return store.append(sequence(), List.copyOf(requests), commit);
    }

    /** Resolves the commit's token for each append without a caller's token, since each has its own number. */
    @Override
    CompletableFuture<List<Result<Entry>>> resolve() {
        List<Result<Entry>> resolved = new ArrayList<>();
        CompletableFuture<?> last = CompletableFuture.completedFuture(null);
        for (int i = 0; i < requests.size(); i++) {
            int index = i;
            last = last.thenCompose(before -> resolve(index)).thenAccept(resolved::add);
        }
        return last.thenApply(all -> resolved);
    }

    private CompletableFuture<Result<Entry>> resolve(int index) {
        if (requests.get(index).token() != null) {
            return CompletableFuture.completedFuture(Result.retry());
        }
        return backend.resolve(commit.token(), ChangeTarget.append(sequence(), index), commit)
                .thenCompose(found -> found instanceof Resolution.Appended appended
                        ? PendingAppend.readEntry(store, sequence(), appended.number(), commit)
                                .thenApply(Result::of)
                        : CompletableFuture.completedFuture(Result.retry()));
    }

    @Override
    int requestCount() {
        return requests.size();
    }

    private String sequence() {
        return member(0).sequence;
    }
}
