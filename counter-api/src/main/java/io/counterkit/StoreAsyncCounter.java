package io.counterkit;

import static java.util.Objects.requireNonNull;

import io.counterkit.spi.Limits;
import io.counterkit.spi.Origin;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A counter by its name, for callers that do not block. */
final class StoreAsyncCounter implements AsyncCounter {
    private final String name;
    private final StoreCounters counters;

    StoreAsyncCounter(String name, StoreCounters counters) {
        this.name = name;
        this.counters = counters;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletableFuture<Void> add(long delta) {
        return counters.adds().addAsync(name, Limits.checkDelta(delta), null);
    }

    @Override
    public CompletableFuture<Void> add(long delta, IdempotencyToken token) {
        return counters.adds().addAsync(name, Limits.checkDelta(delta), requireNonNull(token, "token"));
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
        return counters.seal(Origin.counter(name), forward).reply();
    }

    @Override
    public String toString() {
        return "AsyncCounter[" + name + "]";
    }
}
