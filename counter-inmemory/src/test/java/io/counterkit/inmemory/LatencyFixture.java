package io.counterkit.inmemory;

import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.Timers;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A store in memory whose calls arrive after some time, on other threads, as those of a remote store do. */
final class LatencyFixture implements BackendFixture {
    private final InMemoryFixture fixture =
            new InMemoryFixture(BatchLimits.ofWeight(20).withInFlight(4));
    private final Timers timers = Timers.named("latency");
    private final long nanos;
    private final Duration deadline;

    LatencyFixture(Duration latency, Duration deadline) {
        this.nanos = latency.toNanos();
        this.deadline = deadline;
    }

    @Override
    public CounterBackend connect() {
        return delayed(CounterBackend.class, fixture.connect());
    }

    private <T> T delayed(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getReturnType() == CompletableFuture.class
                        ? later(target, method, arguments)
                        : now(target, method, arguments)));
    }

    private CompletableFuture<?> later(Object target, Method method, @Nullable Object @Nullable [] arguments) {
        return timers.after(nanos).thenCompose(due -> (CompletableFuture<?>) invoke(target, method, arguments));
    }

    private @Nullable Object now(Object target, Method method, @Nullable Object @Nullable [] arguments) {
        if (method.getReturnType() == CounterStore.FastPath.class) {
            return null; // it makes no call
        }
        Object result = invoke(target, method, arguments);
        if (result instanceof CounterStore store) {
            return delayed(CounterStore.class, store);
        }
        if (result instanceof SequenceStore store) {
            return delayed(SequenceStore.class, store);
        }
        return result instanceof MigrationStore store ? delayed(MigrationStore.class, store) : result;
    }

    private static @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw new CompletionException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new LinkageError(method.toString(), e);
        }
    }

    @Override
    public FaultInjector faults() {
        return fixture;
    }

    @Override
    public Duration lag() {
        return Duration.ZERO;
    }

    @Override
    public Duration deadline() {
        return deadline;
    }

    @Override
    public void close() {
        fixture.close();
        timers.close();
    }
}
