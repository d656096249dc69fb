package io.counterkit.verification.broken;

import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.WithMigration;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/** Runs calls on another thread, as a remote store does, so that requests wait and are combined. */
final class Posted {
    private Posted() {}

    static CounterBackend on(Executor executor, CounterBackend backend) {
        return new WithMigration(
                on(executor, CounterBackend.class, backend),
                on(executor, CounterStore.class, backend.counters()),
                on(executor, SequenceStore.class, backend.sequences()),
                on(executor, MigrationStore.class, backend.migration()));
    }

    private static <T> T on(Executor executor, Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getReturnType() != CompletableFuture.class
                        ? invoke(method, target, arguments)
                        : Futures.done(true)
                                .thenComposeAsync(go -> future(invoke(method, target, arguments)), executor)));
    }

    private static CompletableFuture<?> future(Object result) {
        return (CompletableFuture<?>) result;
    }

    private static Object invoke(Method method, Object target, Object[] arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw new CompletionException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new LinkageError(method.toString(), e);
        }
    }
}
