package io.counterkit.verification.broken;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.Follower;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.Sequence;
import io.counterkit.Watch;
import io.counterkit.spi.CounterBackend;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * An API layer that refuses nothing: no name, delta or field, no undeclared capability, no call after close. Its
 * watches continue after close and end if their consumer throws. Its followers continue after close too, and skip an
 * entry if their consumer throws.
 */
final class LooseApi implements InvocationHandler {
    private final Object right;

    private LooseApi(Object right) {
        this.right = right;
    }

    static Counters over(CounterBackend backend, CountersOptions options) {
        return loose(Counters.class, Counters.over(backend, options));
    }

    private static <T> T loose(Class<T> type, T right) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new LooseApi(right)));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("close")) {
            return null;
        }
        try {
            Object result = method.invoke(
                    right,
                    switch (method.getName()) {
                        case "watch" -> fragile(arguments);
                        case "follow" -> skipping(arguments);
                        default -> arguments;
                    });
            if (result instanceof Watch watch) {
                return loose(Watch.class, watch);
            }
            if (result instanceof Follower follower) {
                return loose(Follower.class, follower);
            }
            return result instanceof Counter counter
                    ? loose(Counter.class, counter)
                    : result instanceof Sequence sequence ? loose(Sequence.class, sequence) : result;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException
                    || e.getCause() instanceof UnsupportedOperationException) {
                return insteadOf(method);
            }
            throw e.getCause();
        }
    }

    @SuppressWarnings("unchecked")
    private static Object[] fragile(Object[] arguments) {
        Consumer<Reading> consumer = (Consumer<Reading>) arguments[1];
        AtomicBoolean isBroken = new AtomicBoolean();
        Object[] fragile = arguments.clone();
        fragile[1] = (Consumer<Reading>) reading -> {
            if (!isBroken.getAndSet(true)) {
                consumer.accept(reading);
                isBroken.set(false);
            }
        };
        return fragile;
    }

    /** Lets a follower continue with the next entry if its consumer throws. */
    @SuppressWarnings("unchecked")
    private static Object[] skipping(Object[] arguments) {
        Object[] skipping = arguments.clone();
        int last = arguments.length - 1;
        Consumer<Entry> consumer = (Consumer<Entry>) arguments[last];
        skipping[last] = (Consumer<Entry>) entry -> {
            try {
                consumer.accept(entry);
            } catch (RuntimeException e) {
                return;
            }
        };
        return skipping;
    }

    /** Returns a value of the method's type instead of a refusal. */
    private Object insteadOf(Method method) {
        return switch (method.getName()) {
            case "counter" -> ((Counters) right).counter("any");
            case "sequence" -> ((Counters) right).sequence("any");
            case "append" -> ((Sequence) right).append(Map.of());
            case "seal" -> new Seal("nowhere", 0, 0);
            case "top" -> List.of();
            default -> null;
        };
    }
}
