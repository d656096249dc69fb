package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The source and the target of a command. Each option of a backend has three forms: its name, for the one end that uses
 * this backend, and the name with {@code --from-} or {@code --to-} in front, which is needed if both ends use it.
 */
public final class BackendEnds {
    private static final String FROM = "--from-";
    private static final String TO = "--to-";

    private final Backends from;
    private final Backends to;

    /** Creates ends that are chosen from {@code backends}. */
    public BackendEnds(Backends backends) {
        this.from = backends;
        this.to = backends.copy();
    }

    /** Adds the options of both ends to a command. */
    public void addTo(CommandSpec command) {
        for (BackendFactory factory : from.factories()) {
            List<OptionSpec> ofFrom = Backends.options(factory);
            List<OptionSpec> ofTo = Backends.options(to.find(factory.name()));
            for (int i = 0; i < ofFrom.size(); i++) {
                OptionSpec one = ofFrom.get(i);
                OptionSpec other = ofTo.get(i);
                command.addOption(OptionSpec.builder(one)
                        .setter(both(one, other))
                        .hidden(true)
                        .build());
                command.addOption(prefixed(FROM, one));
                command.addOption(prefixed(TO, other));
            }
        }
    }

    private static ISetter both(OptionSpec one, OptionSpec other) {
        return new ISetter() {
            @Override
            @SuppressWarnings("TypeParameterUnusedInFormals") // the parser's own signature
            public <T> T set(T value) throws Exception {
                one.setter().set(value);
                return other.setter().set(value);
            }
        };
    }

    private static OptionSpec prefixed(String prefix, OptionSpec option) {
        return OptionSpec.builder(option)
                .names(prefix + bare(option.longestName()))
                .hidden(true)
                .build();
    }

    private static String bare(String option) {
        return option.substring("--".length());
    }

    /**
     * Checks that the arguments of a command have options of these ends only, and each of them once.
     *
     * @throws IllegalArgumentException otherwise; the message is for the user
     */
    public void check(String fromName, String toName, ParseResult parsed) {
        from.find(fromName);
        to.find(toName);
        for (BackendFactory factory : from.factories()) {
            for (OptionSpec option : Backends.options(factory)) {
                check(factory.name(), option.longestName(), fromName, toName, parsed);
            }
        }
    }

    private static void check(String backend, String option, String from, String to, ParseResult parsed) {
        String fromOption = FROM + bare(option);
        String toOption = TO + bare(option);
        boolean isFrom = backend.equals(from);
        boolean isTo = backend.equals(to);
        List<String> given = Stream.of(option, fromOption, toOption)
                .filter(parsed::hasMatchedOption)
                .toList();
        if (given.contains(fromOption) && !isFrom) {
            throw misplaced(fromOption, backend, "is not at this end");
        }
        if (given.contains(toOption) && !isTo) {
            throw misplaced(toOption, backend, "is not at this end");
        }
        if (given.contains(option) && !isFrom && !isTo) {
            throw misplaced(option, backend, "is at neither end");
        }
        if (given.contains(option) && isFrom && isTo) {
            throw new IllegalArgumentException(option + " can mean either end: use " + fromOption + " or " + toOption);
        }
        if (given.contains(option) && given.size() > 1) {
            throw new IllegalArgumentException(String.join(" and ", given) + " are the same: use one of them");
        }
    }

    private static IllegalArgumentException misplaced(String option, String backend, String why) {
        return new IllegalArgumentException(
                option + " is an option of backend '" + backend + "', which " + why + ": omit it");
    }

    /** Returns whether the target keeps changes after the command has ended. */
    public boolean keepsTo(String name) {
        return to.find(name).keeps();
    }

    /**
     * Opens the source.
     *
     * @throws IllegalArgumentException if an option is invalid; the message is for the user
     * @throws NotAppliedException if its store cannot be reached
     */
    public OpenBackend openFrom(String name) {
        return from.find(name).openSource();
    }

    /**
     * Opens the target.
     *
     * @throws IllegalArgumentException as {@link #openFrom}
     * @throws NotAppliedException as {@link #openFrom}
     */
    public OpenBackend openTo(String name) {
        return to.find(name).open();
    }

    /**
     * Opens the target for reading. Creates nothing.
     *
     * @throws IllegalArgumentException as {@link #openFrom}
     * @throws NotAppliedException as {@link #openFrom}
     */
    public OpenBackend openToForReading(String name) {
        return to.find(name).openForReading();
    }
}
