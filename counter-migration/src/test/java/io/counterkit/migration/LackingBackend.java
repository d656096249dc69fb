package io.counterkit.migration;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.Origin;
import io.counterkit.spi.SequenceStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A backend whose sequences lack the entry with this number, as where somebody has deleted it. */
record LackingBackend(CounterBackend backend, long number) implements CounterBackend {
    @Override
    public Set<Capability> capabilities() {
        return backend.capabilities();
    }

    @Override
    public CounterStore counters() {
        return backend.counters();
    }

    @Override
    public SequenceStore sequences() {
        return (SequenceStore) Proxy.newProxyInstance(
                SequenceStore.class.getClassLoader(),
                new Class<?>[] {SequenceStore.class},
                (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(backend.sequences(), arguments);
                        return method.getName().equals("read") ? without((CompletableFuture<?>) answer) : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private CompletableFuture<List<Entry>> without(CompletableFuture<?> entries) {
        return entries.thenApply(read -> ((List<?>) read)
                .stream()
                        .map(Entry.class::cast)
                        .filter(entry -> entry.number() != number)
                        .toList());
    }

    @Override
    public MigrationStore migration() {
        return backend.migration();
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable Origin origin, Call call) {
        return backend.resolve(token, origin, call);
    }

    @Override
    public void close() {
        backend.close();
    }
}
