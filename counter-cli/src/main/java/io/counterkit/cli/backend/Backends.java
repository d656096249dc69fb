package io.counterkit.cli.backend;

import com.google.inject.Binding;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.ProvisionException;
import io.counterkit.spi.CounterBackend;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;

/** The backends that a user can choose from, by name. */
public final class Backends {
    private final SortedMap<String, BackendFactory> factories = new TreeMap<>();

    private Backends(Iterable<BackendFactory> factories) {
        factories.forEach(factory -> this.factories.put(factory.name(), factory));
    }

    /** Those that are on the class path. */
    public static Backends onClassPath() {
        return new Backends(ServiceLoader.load(BackendFactory.class));
    }

    /** These. */
    public static Backends of(BackendFactory... factories) {
        return new Backends(List.of(factories));
    }

    /** A line for each: its name and its description. */
    public List<String> lines() {
        return factories.values().stream()
                .map(factory -> String.format("  %-12s %s", factory.name(), factory.description()))
                .toList();
    }

    /**
     * Makes the backend of this name.
     *
     * @throws IllegalArgumentException if there is none, or it cannot be made; the message is for the user
     */
    public OpenBackend open(String name) {
        BackendFactory factory = factories.get(name);
        if (factory == null) {
            throw new IllegalArgumentException(
                    "there is no backend '" + name + "': choose one of " + String.join(", ", factories.keySet()));
        }
        try {
            Injector injector = Guice.createInjector(factory.module());
            Binding<FaultSource> faults = injector.getExistingBinding(Key.get(FaultSource.class));
            return new OpenBackend(
                    name,
                    injector.getInstance(CounterBackend.class),
                    faults == null ? null : faults.getProvider().get());
        } catch (CreationException | ProvisionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalArgumentException("backend '" + name + "' cannot be used: " + cause.getMessage(), e);
        }
    }
}
