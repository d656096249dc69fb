package io.counterkit.verification.broken.flaw;

import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A backend whose asynchronous calls all pass through one function, whatever operation they are of. */
public final class Intercepted {
    private Intercepted() {}

    /** Receives each asynchronous call, and returns its answer. */
    public interface Interceptor {
        CompletableFuture<?> answer(Sent call);
    }

    /**
     * A call.
     *
     * @param method the method of the SPI, {@code CounterStore.add} for example
     * @param arguments its arguments
     */
    public record Sent(String method, List<Object> arguments, Next next) {
        /** Passes the call on. */
        public CompletableFuture<?> pass() {
            return next.with(arguments.toArray());
        }

        /** Passes the call on, whose answer is of this type. */
        @SuppressWarnings("unchecked")
        public <T> CompletableFuture<T> passOn() {
            return (CompletableFuture<T>) pass();
        }

        /** Passes the call on with another argument at this place. */
        @SuppressWarnings("unchecked")
        public <T> CompletableFuture<T> passWith(int place, Object argument) {
            Object[] changed = arguments.toArray();
            changed[place] = argument;
            return (CompletableFuture<T>) next.with(changed);
        }

        /** Returns an argument, whose type the caller knows from the method. */
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        public <T> T argument(int place) {
            return (T) arguments.get(place);
        }

        /** Returns the last argument: the call or the commit that it is part of. */
        @SuppressWarnings("TypeParameterUnusedInFormals")
        public <T> T last() {
            return argument(arguments.size() - 1);
        }
    }

    /** The backend behind. */
    public interface Next {
        CompletableFuture<?> with(Object[] arguments);
    }

    public static CounterBackend of(CounterBackend backend, Interceptor interceptor) {
        return new WithMigration(
                of(interceptor, CounterBackend.class, backend),
                of(interceptor, CounterStore.class, backend.counters()),
                of(interceptor, SequenceStore.class, backend.sequences()),
                of(interceptor, MigrationStore.class, backend.migration()));
    }

    private static <T> T of(Interceptor interceptor, Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getReturnType() != CompletableFuture.class) {
                        return invoke(method, target, arguments);
                    }
                    Next next = changed -> (CompletableFuture<?>) invoke(method, target, changed);
                    return interceptor.answer(
                            new Sent(type.getSimpleName() + "." + method.getName(), asList(arguments), next));
                }));
    }

    /** Unlike {@code List.of}, allows null. */
    private static List<Object> asList(Object[] arguments) {
        return Arrays.asList(arguments);
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
