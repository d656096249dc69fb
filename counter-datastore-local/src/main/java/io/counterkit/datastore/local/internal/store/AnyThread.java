package io.counterkit.datastore.local.internal.store;

import com.google.apphosting.api.ApiProxy;
import com.google.apphosting.api.ApiProxy.Environment;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sets an App Engine environment for each call, so that any thread can use a backend and its stores. */
public record AnyThread(Object target, Environment environment) implements InvocationHandler {
    private static final Set<Class<?>> STORES = Set.of(CounterStore.class, SequenceStore.class, MigrationStore.class);

    /** Returns a backend that sets {@code environment} for each call. */
    public static CounterBackend backend(CounterBackend backend, Environment environment) {
        return (CounterBackend) proxy(CounterBackend.class, backend, environment);
    }

    private static Object proxy(Class<?> type, Object target, Environment environment) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new AnyThread(target, environment));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        ApiProxy.setEnvironmentForCurrentThread(environment);
        try {
            Object result = method.invoke(target, arguments);
            return STORES.contains(method.getReturnType())
                    ? proxy(method.getReturnType(), result, environment)
                    : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
