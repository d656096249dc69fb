package io.counterkit.internal.batch;

import io.counterkit.Resolution;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A batch of adds. Merges those without a caller's token into one request per counter. */
final class AddBatch extends Batch<PendingAdd, Void> {
    private final CounterBackend backend;
    private final CounterStore store;
    private final List<AddRequest> requests = new ArrayList<>();
    private final Map<String, Integer> merged = new HashMap<>();

    AddBatch(CounterBackend backend, CounterStore store, int maxWeight, Commit commit) {
        super(maxWeight, commit);
        this.backend = backend;
        this.store = store;
    }

    @Override
    boolean tryTake(PendingAdd add) {
        AddRequest request = add.request;
        Integer index = request.token() == null ? merged.get(request.name()) : null;
        if (index != null) {
            return tryMerge(add, index);
        }
        int more = store.weight(request);
        if (!fits(add, more)) {
            return false;
        }
        if (tryJoin(add, requests.size(), more)) {
            if (request.token() == null) {
                merged.put(request.name(), requests.size());
            }
            requests.add(request);
        }
        return true;
    }

    private boolean tryMerge(PendingAdd add, int index) {
        AddRequest request = add.request;
        long sum = requests.get(index).delta() + request.delta();
        if (Math.abs(sum) > Limits.MAX_DELTA) {
            return false;
        }
        if (tryJoin(add, index, 0)) {
            requests.set(index, new AddRequest(request.name(), sum, null));
        }
        return true;
    }

    @Override
    CompletableFuture<List<Result<Void>>> send() {
        return store.add(List.copyOf(requests), commit);
    }

    /** Resolves the commit's token for all adds without a caller's token at once. */
    @Override
    CompletableFuture<List<Result<Void>>> resolve() {
        return requests.stream()
                .filter(request -> request.token() == null)
                .findFirst()
                .map(any -> backend.resolve(commit.token(), ChangeTarget.counter(any.name()), commit)
                        .thenApply(Resolution::applied))
                .orElseGet(() -> CompletableFuture.completedFuture(false))
                .thenApply(applied -> requests.stream()
                        .map(request -> applied && request.token() == null ? Result.applied() : Result.<Void>retry())
                        .toList());
    }

    @Override
    int requestCount() {
        return requests.size();
    }
}
