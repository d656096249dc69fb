package io.counterkit.cli.datastore;

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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A backend of a process that is killed after so many calls to its stores. */
record MortalBackend(CounterBackend backend, Life life) implements CounterBackend {
    /** The calls of one process to all of its stores, of which the last one is carried out and never answered. */
    static final class Life {
        private final AtomicInteger left;
        private final CompletableFuture<Boolean> killed = new CompletableFuture<>();

        Life(int calls) {
            left = new AtomicInteger(calls);
        }

        /** Completed when the last call was carried out. */
        CompletableFuture<Boolean> killed() {
            return killed;
        }

        private CompletableFuture<?> answer(Invocation call) throws Throwable {
            int before = left.getAndDecrement();
            if (before < 1) {
                return new CompletableFuture<>();
            }
            CompletableFuture<?> answer = (CompletableFuture<?>) call.run();
            if (before > 1) {
                return answer;
            }
            CompletableFuture<?> unused = answer.handle((result, failure) -> killed.complete(true));
            return new CompletableFuture<>();
        }

        private <T> T over(Class<T> type, T store) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                        Invocation call = () -> {
                            try {
                                return method.invoke(store, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        };
                        return method.getReturnType() == CompletableFuture.class ? answer(call) : call.run();
                    }));
        }

        private interface Invocation {
            Object run() throws Throwable;
        }
    }

    @Override
    public Set<Capability> capabilities() {
        return backend.capabilities();
    }

    @Override
    public CounterStore counters() {
        return life.over(CounterStore.class, backend.counters());
    }

    @Override
    public SequenceStore sequences() {
        return life.over(SequenceStore.class, backend.sequences());
    }

    @Override
    public MigrationStore migration() {
        return life.over(MigrationStore.class, backend.migration());
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
