package io.counterkit.internal.request;

import static java.util.Objects.requireNonNull;

import io.counterkit.AsyncCounter;
import io.counterkit.IdempotencyToken;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A counter by its name, for callers that do not block. */
final class DefaultAsyncCounter implements AsyncCounter {
    private final String name;
    private final DefaultCounters counters;
    private final CounterStore.@Nullable Shortcut shortcut;

    DefaultAsyncCounter(String name, DefaultCounters counters, CounterStore.@Nullable Shortcut shortcut) {
        this.name = name;
        this.counters = counters;
        this.shortcut = shortcut;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletableFuture<Void> add(long delta) {
        Limits.checkDelta(delta);
        return counters.adds().isAddedBy(shortcut, delta)
                ? CompletableFuture.completedFuture(null)
                : counters.adds().addAsync(name, delta, null);
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
        return counters.seal(ChangeTarget.counter(name), forward).reply();
    }

    @Override
    public String toString() {
        return "AsyncCounter[" + name + "]";
    }
}
