package io.counterkit.datastore.local;

import com.google.apphosting.api.ApiProxy;
import com.google.apphosting.api.ApiProxy.Environment;
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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sets an App Engine environment for each call, so that any thread can use the backend. */
record AnyThreadBackend(CounterBackend backend, Environment environment) implements CounterBackend {
    @Override
    public Set<Capability> capabilities() {
        return backend.capabilities();
    }

    @Override
    public CounterStore counters() {
        return withEnvironment(CounterStore.class, backend.counters());
    }

    @Override
    public SequenceStore sequences() {
        return withEnvironment(SequenceStore.class, backend.sequences());
    }

    @Override
    public MigrationStore migration() {
        return withEnvironment(MigrationStore.class, backend.migration());
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
        ApiProxy.setEnvironmentForCurrentThread(environment);
        return backend.resolve(token, origin, call);
    }

    private <T> T withEnvironment(Class<T> type, T store) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    ApiProxy.setEnvironmentForCurrentThread(environment);
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
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
