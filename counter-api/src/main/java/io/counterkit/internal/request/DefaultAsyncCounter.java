package io.counterkit.internal.request;

import static java.util.Objects.requireNonNull;

import io.counterkit.AsyncCounter;
import io.counterkit.IdempotencyToken;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@link AsyncCounter} over a backend. */
record DefaultAsyncCounter(String name, CounterOperations counters, CounterStore.@Nullable FastPath fastPath)
        implements AsyncCounter {
    @Override
    public CompletableFuture<Void> add(long delta) {
        Limits.checkDelta(delta);
        return counters.tryFastPath(fastPath, delta)
                ? CompletableFuture.completedFuture(null)
                : counters.add(name, delta, null, false).reply();
    }

    @Override
    public CompletableFuture<Void> add(long delta, IdempotencyToken token) {
        return counters.add(name, delta, requireNonNull(token, "token"), false).reply();
    }

    @Override
    public CompletableFuture<Reading> read(Duration maxStaleness) {
        return counters.read(name, maxStaleness).reply();
    }

    @Override
    public CompletableFuture<Void> reset() {
        return counters.reset(name).reply();
    }

    @Override
    public CompletableFuture<Void> delete() {
        return counters.delete(name).reply();
    }

    @Override
    public CompletableFuture<Seal> seal(String forward) {
        return counters.seal(name, forward).reply();
    }

    @Override
    public String toString() {
        return "AsyncCounter[" + name + "]";
    }
}
