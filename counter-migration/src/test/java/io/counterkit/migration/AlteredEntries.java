package io.counterkit.migration;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A backend whose entries differ from those appended, as if they had been edited in the store. */
record AlteredEntries(CounterBackend backend, UnaryOperator<List<Entry>> alteration) implements CounterBackend {
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
                        return method.getName().equals("read") ? altered((CompletableFuture<?>) answer) : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private CompletableFuture<List<Entry>> altered(CompletableFuture<?> entries) {
        return entries.thenApply(read -> alteration.apply(
                ((List<?>) read).stream().map(Entry.class::cast).toList()));
    }

    /** Removes the entry of this number. */
    static AlteredEntries without(CounterBackend backend, long number) {
        return new AlteredEntries(
                backend,
                entries -> entries.stream()
                        .filter(entry -> entry.number() != number)
                        .toList());
    }

    /** Changes the live count in the entry of this number. */
    static AlteredEntries withCount(CounterBackend backend, long number, long liveCount) {
        return new AlteredEntries(
                backend,
                entries -> entries.stream()
                        .map(entry -> entry.number() != number ? entry : withCount(entry, liveCount))
                        .toList());
    }

    private static Entry withCount(Entry entry, long liveCount) {
        return new Entry(
                entry.number(),
                entry.appendedAt(),
                entry.change(),
                entry.subject(),
                entry.fields(),
                liveCount,
                entry.erased());
    }

    @Override
    public MigrationStore migration() {
        return backend.migration();
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
        return backend.resolve(token, origin, call);
    }

    @Override
    public Duration retention() {
        return backend.retention();
    }

    @Override
    public void close() {
        backend.close();
    }
}
