package io.counterkit.tck.internal.fault;

import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An operation of a backend, which the kit repeats with a fault at each of its calls to the store.
 *
 * @param label names the operation in messages
 * @param covers the methods of the SPI that the operation calls, such as {@code CounterStore.add}
 * @param needs the capabilities that the operation needs
 * @param prepare prepares one run
 */
public record Operation<T>(String label, Set<String> covers, Set<Capability> needs, Function<Stage, T> prepare) {
    /** Prepares one run. */
    public T on(Stage stage) {
        return prepare.apply(stage);
    }

    /** Returns whether a backend with these capabilities supports the operation. */
    public boolean isPossible(Set<Capability> capabilities) {
        return capabilities.containsAll(needs);
    }

    /** Returns the methods of the SPI that call the store. */
    public static Set<String> ofTheSpi() {
        Set<String> methods = new TreeSet<>();
        for (Class<?> type :
                Set.of(CounterBackend.class, CounterStore.class, SequenceStore.class, MigrationStore.class)) {
            Arrays.stream(type.getMethods())
                    .filter(method -> method.getReturnType() == CompletableFuture.class)
                    .map(Method::getName)
                    .forEach(method -> methods.add(type.getSimpleName() + "." + method));
        }
        return methods;
    }

    /** Returns the methods of the SPI that {@link Changes} and {@link Reads} cover. */
    public static Set<String> swept() {
        Set<String> methods = new TreeSet<>();
        Stream.concat(Changes.all().stream(), Reads.all().stream())
                .forEach(operation -> methods.addAll(operation.covers()));
        return methods;
    }
}
