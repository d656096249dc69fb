package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The two backends of a command that goes from one to the other. Each option of a backend can be said in three ways:
 * plainly, for the one end that is of this backend, or with {@code --from-} or {@code --to-} before it, which is needed
 * where both ends are.
 */
public final class BackendEnds {
    private static final String FROM = "--from-";
    private static final String TO = "--to-";

    private final Backends from;
    private final Backends to;

    /** Ends that are chosen from these. */
    public BackendEnds(Backends backends) {
        this.from = backends;
        this.to = backends.another();
    }

    /** Gives a command the options of both ends. */
    public void addTo(CommandSpec command) {
        for (BackendFactory factory : from.factories()) {
            List<OptionSpec> ofFrom = Backends.optionsOf(factory);
            List<OptionSpec> ofTo = Backends.optionsOf(to.find(factory.name()));
            ArgGroupSpec.Builder group = ArgGroupSpec.builder()
                    .heading("%nWith --from or --to " + factory.name() + ":%n")
                    .exclusive(false)
                    .validate(false);
            for (int i = 0; i < ofFrom.size(); i++) {
                OptionSpec one = ofFrom.get(i);
                OptionSpec other = ofTo.get(i);
                group.addArg(OptionSpec.builder(one).setter(both(one, other)).build());
                command.addOption(prefixed(FROM, one));
                command.addOption(prefixed(TO, other));
            }
            if (!ofFrom.isEmpty()) {
                command.addArgGroup(group.build());
            }
        }
        from.listIn(
                command,
                "",
                "  Options of a backend that is at both ends need --from- or --to- before them, as in --to-"
                        + "project; at one end they may have it.");
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
                .names(prefix + option.longestName().substring("--".length()))
                .hidden(true)
                .build();
    }

    /**
     * Checks that a command that was parsed is given the options of these ends only, and each for one of them.
     *
     * @throws IllegalArgumentException otherwise; the message is for the user
     */
    public void check(String fromName, String toName, CommandSpec command) {
        from.find(fromName);
        to.find(toName);
        ParseResult parsed = command.commandLine().getParseResult();
        for (BackendFactory factory : from.factories()) {
            for (OptionSpec option : Backends.optionsOf(factory)) {
                check(factory.name(), option.longestName(), fromName, toName, parsed);
            }
        }
    }

    private static void check(String backend, String option, String from, String to, ParseResult parsed) {
        String bare = option.substring("--".length());
        boolean isFrom = backend.equals(from);
        boolean isTo = backend.equals(to);
        List<String> given = new ArrayList<>();
        for (String name : List.of(option, FROM + bare, TO + bare)) {
            if (parsed.hasMatchedOption(name)) {
                given.add(name);
            }
        }
        checkEnd(FROM + bare, isFrom, backend, given);
        checkEnd(TO + bare, isTo, backend, given);
        if (given.contains(option) && isFrom && isTo) {
            throw new IllegalArgumentException(
                    option + " could be of either end: say " + FROM + bare + " or " + TO + bare);
        }
        if (given.contains(option) && !isFrom && !isTo) {
            throw new IllegalArgumentException(
                    option + " is of backend '" + backend + "', which is at neither end: leave it out");
        }
        if (given.contains(option) && given.size() > 1) {
            throw new IllegalArgumentException(String.join(" and ", given) + " are the same: say one of them");
        }
    }

    private static void checkEnd(String option, boolean isThere, String backend, List<String> given) {
        if (given.contains(option) && !isThere) {
            throw new IllegalArgumentException(
                    option + " is of backend '" + backend + "', which is not at this end: leave it out");
        }
    }

    /** Whether what is written to this end is there after the command. */
    public boolean keepsTo(String name) {
        return to.find(name).keeps();
    }

    /**
     * Makes the backend that is gone from.
     *
     * @throws IllegalArgumentException if it cannot be made; the message is for the user
     * @throws NotAppliedException if its store cannot be reached
     */
    public OpenBackend openFrom(String name) {
        return from.openDurable(name);
    }

    /** Makes the backend that is gone to; as {@link #openFrom}. */
    public OpenBackend openTo(String name) {
        return to.open(name);
    }
}
