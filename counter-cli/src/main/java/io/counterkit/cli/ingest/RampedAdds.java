package io.counterkit.cli.ingest;

import io.counterkit.NotAppliedException;
import io.counterkit.RampUpLimiter;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Limits the adds of a backend by a ramp-up. It is below the batching, so that the limit applies to writes, and adds
 * that wait for it are merged. Has no fast path, which would bypass the limit. Forwards all other calls unchanged.
 */
final class RampedAdds extends ForwardingCounterStore {
    private final RampUpLimiter ramp;

    private RampedAdds(CounterStore counters, RampUpLimiter ramp) {
        super(counters);
        this.ramp = ramp;
    }

    /** Returns a backend that forwards to {@code backend} and limits its adds. */
    static CounterBackend over(CounterBackend backend, RampUpLimiter ramp) {
        return new ForwardingCounterBackend(backend, new RampedAdds(backend.counters(), ramp), backend.sequences());
    }

    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        int writes = requests.stream().mapToInt(store::weight).sum() + 1; // and the token of the commit
        commit.token(); // generated before a caller can give up: see Commit.token
        if (!store.limits().callerRuns()) {
            return ramp.whenFree(writes).thenCompose(free -> store.add(requests, commit));
        }
        try {
            ramp.await(writes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(new NotAppliedException("interrupted before it was sent", e));
        }
        return store.add(requests, commit);
    }
}
