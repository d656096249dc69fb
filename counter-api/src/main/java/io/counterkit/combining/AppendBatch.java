package io.counterkit.combining;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Origin;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Appends to one sequence that travel together, each an entry of its own. */
final class AppendBatch extends Batch<AppendWaiter, Entry> {
    private final SequenceStore store;
    private final List<AppendRequest> requests = new ArrayList<>();

    AppendBatch(SequenceStore store, int maxWeight, Commit commit) {
        super(maxWeight, commit);
        this.store = store;
    }

    @Override
    boolean take(AppendWaiter waiter) {
        AppendRequest request = new AppendRequest(waiter.change, waiter.subject, waiter.fields, waiter.token);
        int weight = store.weight(request);
        if (!fits(weight, waiter.token)) {
            return false;
        }
        if (join(waiter, requests.size(), weight, waiter.token)) {
            requests.add(request);
        }
        return true;
    }

    @Override
    CompletableFuture<List<Result<Entry>>> send() {
        return store.append(firstName(), List.copyOf(requests), commit);
    }

    @Override
    int requestCount() {
        return requests.size();
    }

    @Override
    Origin.Kind kind() {
        return Origin.Kind.SEQUENCE;
    }

    @Override
    String firstName() {
        return member(0).sequence;
    }

    @Override
    IdempotencyToken cover(AppendWaiter waiter, int index) {
        return waiter.token != null
                ? waiter.token
                : MintedToken.append(commit, index, waiter.sequence).toToken();
    }
}
