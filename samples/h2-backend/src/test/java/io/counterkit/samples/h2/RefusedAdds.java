package io.counterkit.samples.h2;

import io.counterkit.NotAppliedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

// docs: decorator
/** Refuses adds while {@code isReadOnly}: nothing was applied, so that the caller may try again. */
final class RefusedAdds extends ForwardingCounterStore {
    private final BooleanSupplier isReadOnly;

    private RefusedAdds(CounterStore counters, BooleanSupplier isReadOnly) {
        super(counters);
        this.isReadOnly = isReadOnly;
    }

    static CounterBackend over(CounterBackend backend, BooleanSupplier isReadOnly) {
        return new ForwardingCounterBackend(
                backend, new RefusedAdds(backend.counters(), isReadOnly), backend.sequences());
    }

    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        return isReadOnly.getAsBoolean()
                ? CompletableFuture.failedFuture(new NotAppliedException("the store is read-only now"))
                : store.add(requests, commit);
    }
}
// docs: end
