package io.counterkit.internal.request;

import static java.util.Objects.requireNonNull;

import io.counterkit.AsyncCounter;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.Watch;
import io.counterkit.internal.watch.Watches;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@link Counter} over a backend. All state is in the store. */
final class DefaultCounter implements Counter {
    private final String name;
    private final CounterOperations counters;
    private final Watches watches;
    private final CounterStore.@Nullable FastPath fastPath;

    DefaultCounter(String name, CounterOperations counters, Watches watches) {
        this.name = name;
        this.counters = counters;
        this.watches = watches;
        this.fastPath = counters.fastPath(name);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void add(long delta) {
        Limits.checkDelta(delta);
        if (!counters.tryFastPath(fastPath, delta)) {
            counters.add(name, delta, null, true).await();
        }
    }

    @Override
    public void add(long delta, IdempotencyToken token) {
        counters.add(name, delta, requireNonNull(token, "token"), true).await();
    }

    @Override
    public Reading read(Duration maxStaleness) {
        return counters.read(name, maxStaleness).await();
    }

    @Override
    public void reset() {
        counters.reset(name).await();
    }

    @Override
    public void delete() {
        counters.delete(name).await();
    }

    @Override
    public Seal seal(String forward) {
        return counters.seal(name, forward).await();
    }

    @Override
    public Watch watch(
            Duration cadence, Consumer<? super Reading> readings, Consumer<? super CounterException> failures) {
        return watches.open(name, cadence, readings, failures);
    }

    @Override
    public AsyncCounter async() {
        return new DefaultAsyncCounter(name, counters, fastPath);
    }

    @Override
    public String toString() {
        return "Counter[" + name + "]";
    }
}
