package io.counterkit.cli.backend;

import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.ProvisionException;
import io.counterkit.CounterException;
import io.counterkit.NotAppliedException;
import io.counterkit.RampUpLimiter;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Reasons;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The backends that a user can choose from, by name. */
public final class Backends {
    private final SortedMap<String, BackendFactory> factories = new TreeMap<>();
    private final Supplier<Iterable<BackendFactory>> maker;

    private Backends(Supplier<Iterable<BackendFactory>> maker) {
        this.maker = maker;
        maker.get().forEach(factory -> factories.put(factory.name(), factory));
    }

    /** Those that are on the class path. */
    public static Backends onClassPath() {
        return new Backends(() -> ServiceLoader.load(BackendFactory.class));
    }

    /** These. */
    public static Backends of(BackendFactory... factories) {
        return new Backends(() -> List.of(factories));
    }

    /** The same backends once more, with options of their own, unless they were handed in ready-made. */
    Backends another() {
        return new Backends(maker);
    }

    /** Them, by name. */
    Collection<BackendFactory> factories() {
        return factories.values();
    }

    /** Gives a command the options of every backend, and lists the backends at the end of its help. */
    public void addTo(CommandSpec command) {
        factories.values().forEach(factory -> {
            List<OptionSpec> options = optionsOf(factory);
            if (!options.isEmpty()) {
                ArgGroupSpec.Builder group = ArgGroupSpec.builder()
                        .heading("%nWith --backend " + factory.name() + ":%n")
                        .exclusive(false)
                        .validate(false);
                options.forEach(group::addArg);
                command.addArgGroup(group.build());
            }
        });
        listIn(command);
    }

    /** Lists the backends at the end of a command's help, and says this after them. */
    void listIn(CommandSpec command, String... more) {
        command.usageMessage()
                .abbreviateSynopsis(true)
                .footerHeading("%nBackends:%n")
                .footer(Stream.concat(
                                factories.values().stream()
                                        .map(factory ->
                                                String.format("  %-12s %s", factory.name(), factory.description())),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    static List<OptionSpec> optionsOf(BackendFactory factory) {
        return CommandSpec.forAnnotatedObjectLenient(factory).options();
    }

    /**
     * Checks that a command that was parsed is given no option of another backend than this one.
     *
     * @throws IllegalArgumentException if there is no such backend, or an option of another one; the message is for the
     *     user
     */
    void checkOptions(String name, CommandSpec command) {
        find(name);
        for (BackendFactory other : factories.values()) {
            for (OptionSpec option : other.name().equals(name) ? List.<OptionSpec>of() : optionsOf(other)) {
                if (command.commandLine().getParseResult().hasMatchedOption(option.longestName())) {
                    throw new IllegalArgumentException(option.longestName() + " is of backend '" + other.name()
                            + "', not of '" + name + "': add --backend " + other.name() + ", or leave it out");
                }
            }
        }
    }

    /** The options of this backend that a command was given, as words of the command line. */
    List<String> optionsGiven(String name, CommandSpec command) {
        ParseResult parsed = command.commandLine().getParseResult();
        return optionsOf(find(name)).stream()
                .map(option -> parsed.matchedOption(option.longestName()))
                .filter(Objects::nonNull)
                .flatMap(option -> wordsOf(option).stream())
                .toList();
    }

    private static List<String> wordsOf(OptionSpec option) {
        if (option.arity().max() == 0 || option.originalStringValues().stream().allMatch(String::isEmpty)) {
            return List.of(option.longestName());
        }
        return option.originalStringValues().stream()
                .flatMap(value -> value.startsWith("-") // or it is read as an option of its own
                        ? Stream.of(option.longestName() + "=" + value)
                        : Stream.of(option.longestName(), value))
                .toList();
    }

    /**
     * Makes the backend of this name.
     *
     * @throws IllegalArgumentException if there is none, or it cannot be made; the message is for the user
     * @throws NotAppliedException if its store cannot be reached
     */
    public OpenBackend open(String name) {
        return open(name, find(name)::module);
    }

    /** Makes the backend of this name so that what it has acknowledged is there at once; as {@link #open}. */
    OpenBackend openDurable(String name) {
        return open(name, find(name)::durableModule);
    }

    private static OpenBackend open(String name, Supplier<Module> module) {
        try {
            Injector injector = Guice.createInjector(module.get());
            return new OpenBackend(
                    name,
                    injector.getInstance(CounterBackend.class),
                    bound(injector, FaultSource.class),
                    bound(injector, Describer.class),
                    bound(injector, Resharder.class),
                    bound(injector, RampUpLimiter.class),
                    bound(injector, HeldResources.class),
                    bound(injector, Notice.class));
        } catch (CreationException | ProvisionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof CounterException unreachable) {
                throw unreachable;
            }
            throw new IllegalArgumentException("backend '" + name + "' cannot be used: " + Reasons.of(cause), e);
        }
    }

    BackendFactory find(String name) {
        BackendFactory factory = factories.get(name);
        if (factory == null) {
            throw new IllegalArgumentException(
                    "there is no backend '" + name + "': choose one of " + String.join(", ", factories.keySet()));
        }
        return factory;
    }

    private static <T> @Nullable T bound(Injector injector, Class<T> type) {
        return injector.getExistingBinding(Key.get(type)) == null ? null : injector.getInstance(type);
    }
}
