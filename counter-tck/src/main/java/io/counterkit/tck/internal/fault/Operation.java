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
 * Something that a backend is asked to do, and which the kit disturbs at each of its calls to the store.
 *
 * @param label what it does, for messages
 * @param covers the methods of the SPI that it reaches, as {@code CounterStore.add}
 * @param needs the capabilities that it needs
 * @param prepare makes one run of it ready
 */
public record Operation<T>(String label, Set<String> covers, Set<Capability> needs, Function<Stage, T> prepare) {
    /** Whether a backend with these capabilities can carry it out. */
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

    /** Returns the methods of the SPI that are swept. */
    public static Set<String> swept() {
        Set<String> methods = new TreeSet<>();
        Stream.concat(Changes.all().stream(), Reads.all().stream())
                .forEach(operation -> methods.addAll(operation.covers()));
        return methods;
    }
}
