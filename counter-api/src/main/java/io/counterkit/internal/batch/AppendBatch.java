package io.counterkit.internal.batch;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NumberRange;
import io.counterkit.Resolution;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Appends to one sequence that travel together, each an entry of its own. */
final class AppendBatch extends Batch<PendingAppend, Entry> {
    private final SequenceStore store;
    private final Resolver resolver;
    private final List<AppendRequest> requests = new ArrayList<>();

    AppendBatch(SequenceStore store, Resolver resolver, int maxWeight, Commit commit) {
        super(maxWeight, commit);
        this.store = store;
        this.resolver = resolver;
    }

    @Override
    boolean take(PendingAppend waiter) {
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

    /** Of those that have no token of a caller each has its own number; the others may just be sent again. */
    @Override
    CompletableFuture<List<Result<Entry>>> decide() {
        List<Result<Entry>> decided = new ArrayList<>();
        CompletableFuture<?> last = CompletableFuture.completedFuture(null);
        for (int i = 0; i < requests.size(); i++) {
            int index = i;
            last = last.thenCompose(before -> decide(index)).thenAccept(decided::add);
        }
        return last.thenApply(all -> decided);
    }

    private CompletableFuture<Result<Entry>> decide(int index) {
        if (requests.get(index).token() != null) {
            return CompletableFuture.completedFuture(Result.retry());
        }
        return resolver.resolve(commit.token(), ChangeTarget.append(firstName(), index), commit)
                .thenCompose(found -> found instanceof Resolution.Appended appended
                        ? store.read(firstName(), new NumberRange(appended.number(), appended.number()), commit)
                                .thenApply(entries -> Result.of(entries.get(0)))
                        : CompletableFuture.completedFuture(Result.retry()));
    }

    @Override
    boolean hasOwnToken(PendingAppend waiter) {
        return waiter.token != null;
    }

    @Override
    int requestCount() {
        return requests.size();
    }

    @Override
    ChangeTarget.Kind kind() {
        return ChangeTarget.Kind.SEQUENCE;
    }

    @Override
    String firstName() {
        return member(0).sequence;
    }

    @Override
    IdempotencyToken cover(PendingAppend waiter, int index) {
        return waiter.token != null
                ? waiter.token
                : GeneratedToken.append(commit, index, waiter.sequence).toToken();
    }
}
