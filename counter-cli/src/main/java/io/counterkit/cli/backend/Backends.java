package io.counterkit.cli.backend;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The backends that a user can choose from, and their options. */
public final class Backends {
    private final SortedMap<String, BackendFactory> factories = new TreeMap<>();
    private final Supplier<Iterable<BackendFactory>> source;

    private Backends(Supplier<Iterable<BackendFactory>> source) {
        this.source = source;
        source.get().forEach(factory -> factories.put(factory.name(), factory));
    }

    /** Returns the backends on the class path. */
    public static Backends onClassPath() {
        return new Backends(() -> ServiceLoader.load(BackendFactory.class));
    }

    /** Returns these backends. */
    public static Backends of(BackendFactory... factories) {
        return new Backends(() -> List.of(factories));
    }

    /** Returns the same backends with options of their own, unless this was made of instances. */
    Backends copy() {
        return new Backends(source);
    }

    Collection<BackendFactory> factories() {
        return factories.values();
    }

    /**
     * Returns the backend of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    BackendFactory find(String name) {
        BackendFactory factory = factories.get(name);
        if (factory == null) {
            throw new IllegalArgumentException(
                    "there is no backend '" + name + "': choose one of " + String.join(", ", factories.keySet()));
        }
        return factory;
    }

    /** Adds the options of every backend to a command, and lists the backends at the end of its help. */
    public void addTo(CommandSpec command) {
        factories.values().forEach(factory -> addGroup(command, "--backend " + factory.name(), options(factory)));
        addFooter(command);
    }

    static void addGroup(CommandSpec command, String choice, List<OptionSpec> options) {
        if (!options.isEmpty()) {
            ArgGroupSpec.Builder group = ArgGroupSpec.builder()
                    .heading("%nWith " + choice + ":%n")
                    .exclusive(false)
                    .validate(false);
            options.forEach(group::addArg);
            command.addArgGroup(group.build());
        }
    }

    /** Lists the backends at the end of a command's help, and {@code more} after them. */
    void addFooter(CommandSpec command, String... more) {
        Stream<String> lines = factories.values().stream()
                .map(factory -> String.format("  %-12s %s", factory.name(), factory.description()));
        command.usageMessage()
                .abbreviateSynopsis(true)
                .footerHeading("%nBackends:%n")
                .footer(Stream.concat(lines, Stream.of(more)).toArray(String[]::new));
    }

    static List<OptionSpec> options(BackendFactory factory) {
        return CommandSpec.forAnnotatedObjectLenient(factory).options();
    }

    /**
     * Checks that the arguments of a command have options of no backend but {@code name}.
     *
     * @throws IllegalArgumentException if they have one, or there is no such backend; the message is for the user
     */
    void checkOptions(String name, ParseResult parsed) {
        find(name);
        for (BackendFactory other : factories.values()) {
            for (OptionSpec option : other.name().equals(name) ? List.<OptionSpec>of() : options(other)) {
                if (parsed.hasMatchedOption(option.longestName())) {
                    throw new IllegalArgumentException(option.longestName() + " is an option of backend '"
                            + other.name() + "', not of '" + name + "': add --backend " + other.name()
                            + ", or omit it");
                }
            }
        }
    }

    /** Returns the options of backend {@code name} in the arguments of a command, as words of a command line. */
    List<String> optionWords(String name, ParseResult parsed) {
        return options(find(name)).stream()
                .map(option -> parsed.matchedOption(option.longestName()))
                .filter(Objects::nonNull)
                .flatMap(option -> words(option).stream())
                .toList();
    }

    private static List<String> words(OptionSpec option) {
        if (option.arity().max() == 0 || option.originalStringValues().stream().allMatch(String::isEmpty)) {
            return List.of(option.longestName());
        }
        return option.originalStringValues().stream()
                .flatMap(value -> value.startsWith("-") // or the parser takes it for an option
                        ? Stream.of(option.longestName() + "=" + value)
                        : Stream.of(option.longestName(), value))
                .toList();
    }
}
