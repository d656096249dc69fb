package io.counterkit.internal.batch;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Adds that travel together. Those without a caller's token are merged, one request a counter. */
final class AddBatch extends Batch<PendingAdd, Void> {
    private final CounterStore store;
    private final Resolver resolver;
    private final List<AddRequest> requests = new ArrayList<>();
    private final Map<String, Integer> merged = new HashMap<>();

    AddBatch(CounterStore store, Resolver resolver, int maxWeight, Commit commit) {
        super(maxWeight, commit);
        this.store = store;
        this.resolver = resolver;
    }

    @Override
    boolean take(PendingAdd waiter) {
        Integer slot = waiter.token == null ? merged.get(waiter.name) : null;
        if (slot != null) {
            return merge(waiter, slot);
        }
        AddRequest request = new AddRequest(waiter.name, waiter.delta, waiter.token);
        int weight = store.weight(request);
        if (!fits(weight, waiter.token)) {
            return false;
        }
        if (join(waiter, requests.size(), weight, waiter.token)) {
            if (waiter.token == null) {
                merged.put(waiter.name, requests.size());
            }
            requests.add(request);
        }
        return true;
    }

    private boolean merge(PendingAdd waiter, int slot) {
        long sum = requests.get(slot).delta() + waiter.delta;
        if (Math.abs(sum) > Limits.MAX_DELTA) {
            return false;
        }
        if (join(waiter, slot, 0, null)) {
            requests.set(slot, new AddRequest(waiter.name, sum, null));
        }
        return true;
    }

    @Override
    CompletableFuture<List<Result<Void>>> send() {
        return store.add(List.copyOf(requests), commit);
    }

    /** All that have no token of a caller share the commit's; the others may just be sent again. */
    @Override
    CompletableFuture<List<Result<Void>>> decide() {
        return requests.stream()
                .filter(request -> request.token() == null)
                .findFirst()
                .map(any -> resolver.resolve(commit.token(), ChangeTarget.counter(any.name()), commit)
                        .thenApply(Resolution::applied))
                .orElseGet(() -> CompletableFuture.completedFuture(false))
                .thenApply(applied -> requests.stream()
                        .map(request -> applied && request.token() == null ? Result.applied() : Result.<Void>retry())
                        .toList());
    }

    @Override
    boolean hasOwnToken(PendingAdd waiter) {
        return waiter.token != null;
    }

    @Override
    int requestCount() {
        return requests.size();
    }

    @Override
    ChangeTarget.Kind kind() {
        return ChangeTarget.Kind.COUNTER;
    }

    @Override
    String firstName() {
        return requests.get(0).name();
    }

    @Override
    IdempotencyToken cover(PendingAdd waiter, int index) {
        return waiter.token != null
                ? waiter.token
                : GeneratedToken.add(commit, index, waiter.name, waiter.delta).toToken();
    }
}
