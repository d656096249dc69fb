package io.counterkit.cli.backend;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The backends that a user can choose from. Iterates over their names, as picocli's completion requires. */
public final class Backends implements Iterable<String> {
    private static final String DEFAULT_VARIABLE = "COUNTERKIT_BACKEND";

    private final SortedMap<String, BackendFactory> factories = new TreeMap<>();
    private final Supplier<Iterable<BackendFactory>> source;

    private final String defaultName;

    private Backends(String defaultName, Supplier<Iterable<BackendFactory>> source) {
        this.defaultName = defaultName;
        this.source = source;
        source.get().forEach(factory -> factories.put(factory.name(), factory));
    }

    /** Returns the backends on the class path. The default is the one that the environment names, or else SQLite. */
    public static Backends onClassPath() {
        String named = System.getenv(DEFAULT_VARIABLE);
        return new Backends(
                named == null || named.isEmpty() ? "sqlite" : named, () -> ServiceLoader.load(BackendFactory.class));
    }

    /** Returns these backends. The default is the first one. */
    public static Backends of(BackendFactory... factories) {
        return new Backends(factories[0].name(), () -> List.of(factories));
    }

    /** Returns new instances, with their own option values; the same ones if this was created by {@link #of}. */
    Backends copy() {
        return new Backends(defaultName, source);
    }

    @Override
    public Iterator<String> iterator() {
        return List.copyOf(factories.keySet()).iterator();
    }

    /** Returns the name of the backend that a command uses if the user chooses none. */
    String defaultName() {
        return defaultName;
    }

    /** Returns whether there is a backend of this name. */
    public boolean has(String name) {
        return factories.containsKey(name);
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
                    "there is no backend '" + name + "': choose one of " + String.join(", ", this));
        }
        return factory;
    }

    /** Lists the backends in the help of {@code counter}. */
    public void describe(CommandSpec counter) {
        List<String> lines = new ArrayList<>(List.of("Backends, each with its options in 'counter help NAME':"));
        factories
                .values()
                .forEach(factory -> lines.add(String.format("  %-12s %s", factory.name(), factory.description())));
        lines.add("");
        lines.add("Without --backend a command uses '" + defaultName + "'; " + DEFAULT_VARIABLE
                + " in the environment names another backend.");
        counter.usageMessage().description(lines.toArray(String[]::new));
    }

    /** Returns a command whose help describes the backend of this name and its options. */
    public CommandSpec helpOn(String name) {
        CommandSpec topic = CommandSpec.create().name(name);
        topic.usageMessage()
                .header("Backend '" + name + "': " + find(name).description() + ".")
                .customSynopsis("counter COMMAND --backend " + name + " [OPTIONS]");
        options(find(name)).forEach(topic::addOption);
        return topic;
    }

    /**
     * Adds the options of all backends to a command. Its help omits them, since {@link #helpOn} describes them. An
     * option that several backends have is one option of the command.
     *
     * @param prefix the start of the names of the options, such as {@code --from-}
     */
    void addTo(CommandSpec command, String prefix) {
        for (BackendFactory factory : factories.values()) {
            for (OptionSpec option : options(factory)) {
                String name = prefix + bare(option);
                if (!command.optionsMap().containsKey(name)) {
                    // Holds the value until it is known which backend the option is for.
                    OptionSpec.Builder unbound = OptionSpec.builder(name);
                    command.addOption(OptionSpec.builder(option)
                            .names(name)
                            .getter(unbound.getter())
                            .setter(unbound.setter())
                            .hidden(true)
                            .build());
                }
            }
        }
    }

    static List<OptionSpec> options(BackendFactory factory) {
        return CommandSpec.forAnnotatedObjectLenient(factory).options();
    }

    /** Returns the name of an option, without hyphens. */
    private static String bare(OptionSpec option) {
        return option.longestName().substring("--".length());
    }

    /** Returns the names of the options of a backend, without hyphens. */
    static List<String> optionNames(BackendFactory factory) {
        return options(factory).stream().map(Backends::bare).toList();
    }

    /** Returns the names of the backends that have each option. */
    SortedMap<String, List<String>> owners() {
        SortedMap<String, List<String>> owners = new TreeMap<>();
        factories.forEach((name, factory) -> optionNames(factory)
                .forEach(option ->
                        owners.computeIfAbsent(option, key -> new ArrayList<>()).add(name)));
        return owners;
    }

    /**
     * Sets the options of a backend.
     *
     * @param given returns the option of the command that has the value of an option; null for the default
     */
    static void set(BackendFactory backend, Function<String, @Nullable OptionSpec> given) {
        for (OptionSpec option : options(backend)) {
            OptionSpec match = given.apply(bare(option));
            if (match != null) {
                option.setValue(match.getValue());
            }
        }
    }

    /**
     * Returns backend {@code name}, and sets its options to those in the arguments of a command.
     *
     * @throws IllegalArgumentException if there is no such backend, or it lacks one of them; the message is for the
     *     user
     */
    BackendFactory choose(String name, ParseResult parsed) {
        BackendFactory chosen = find(name);
        owners().forEach((option, owners) -> {
            if (parsed.hasMatchedOption("--" + option) && !owners.contains(name)) {
                throw new IllegalArgumentException("--" + option + " is an option of backend '"
                        + String.join("' or '", owners) + "', not of '" + name + "': add --backend "
                        + String.join(" or ", owners) + ", or omit it");
            }
        });
        set(chosen, option -> parsed.matchedOption("--" + option));
        return chosen;
    }

    /** Returns the options of backend {@code name} in the arguments of a command, with their values; "" for none. */
    Map<String, String> optionsOf(String name, ParseResult parsed) {
        Map<String, String> given = new LinkedHashMap<>();
        for (OptionSpec option : options(find(name))) {
            OptionSpec match = parsed.matchedOption(option.longestName());
            if (match != null) {
                given.put(
                        option.longestName(),
                        option.arity().max() == 0 ? "" : String.join("", match.originalStringValues()));
            }
        }
        return given;
    }
}
