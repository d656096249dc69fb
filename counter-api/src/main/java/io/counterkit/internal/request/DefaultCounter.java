package io.counterkit.internal.request;

import static java.util.Objects.requireNonNull;

import io.counterkit.AsyncCounter;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.Watch;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A counter by its name; all state is in the store. */
final class DefaultCounter implements Counter {
    private final String name;
    private final DefaultCounters counters;
    private final CounterStore.@Nullable Shortcut shortcut;

    DefaultCounter(String name, DefaultCounters counters) {
        this.name = name;
        this.counters = counters;
        this.shortcut = counters.adds().shortcut(name);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void add(long delta) {
        Limits.checkDelta(delta);
        if (!counters.adds().isAddedBy(shortcut, delta)) {
            counters.adds().add(name, delta, null);
        }
    }

    @Override
    public void add(long delta, IdempotencyToken token) {
        counters.adds().add(name, Limits.checkDelta(delta), requireNonNull(token, "token"));
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
        return counters.seal(ChangeTarget.counter(name), forward).await();
    }

    @Override
    public Watch watch(
            Duration cadence, Consumer<? super Reading> readings, Consumer<? super CounterException> failures) {
        return counters.watch(name, cadence, readings, failures);
    }

    @Override
    public AsyncCounter async() {
        return new DefaultAsyncCounter(name, counters, shortcut);
    }

    @Override
    public String toString() {
        return "Counter[" + name + "]";
    }
}
