package io.counterkit.cli.backend;

import io.counterkit.cli.console.Arguments;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The source and the target of a command. Each option of a backend has three forms: its name, and the name with {@code
 * --from-} or {@code --to-} in front. The name alone applies to the end that uses this backend. If both ends have the
 * option, it applies to each end that {@linkplain BackendFactory#takes takes} it, unless the form for that end is given
 * too. If both ends use the same backend, the name alone is refused. The other two forms apply to one end.
 */
public final class BackendEnds {
    private static final String ONE = "--";
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
        Stream.of(ONE, FROM, TO).forEach(prefix -> from.addTo(command, prefix));
    }

    /**
     * Sets the options of both ends to those in the arguments of a command.
     *
     * @throws IllegalArgumentException if one belongs to neither end, or it is not clear to which; the message is for
     *     the user
     */
    public void choose(String fromName, String toName, ParseResult parsed) {
        from.find(fromName);
        to.find(toName);
        SortedMap<String, List<String>> owners = from.owners();
        owners.forEach((option, names) -> check(option, names, fromName, toName, parsed));
        Set<String> shared = owners.entrySet().stream()
                .filter(option -> option.getValue().containsAll(List.of(fromName, toName)))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        set(from.find(fromName), FROM, shared, parsed);
        set(to.find(toName), TO, shared, parsed);
    }

    private static void check(String option, List<String> owners, String fromName, String toName, ParseResult parsed) {
        boolean isFrom = owners.contains(fromName);
        boolean isTo = owners.contains(toName);
        List<String> given = Stream.of(ONE, FROM, TO)
                .map(prefix -> prefix + option)
                .filter(parsed::hasMatchedOption)
                .toList();
        for (String form : given) {
            boolean belongs = form.equals(FROM + option) ? isFrom : form.equals(TO + option) ? isTo : isFrom || isTo;
            Arguments.check(
                    belongs,
                    form + " is an option of backend '" + String.join("' or '", owners) + "', which is "
                            + (form.equals(ONE + option)
                                    ? "neither source nor target"
                                    : form.equals(FROM + option) ? "not the source" : "not the target")
                            + ": omit it");
        }
        if (!given.contains(ONE + option)) {
            return;
        }
        Arguments.check(
                !fromName.equals(toName),
                ONE + option + " can mean source or target: use " + FROM + option + " or " + TO + option);
        Arguments.check(
                given.size() <= (isFrom && isTo ? 2 : 1),
                String.join(" and ", given) + " are the same: use " + (isFrom && isTo ? "two" : "one") + " of them");
    }

    private static void set(BackendFactory end, String prefix, Set<String> shared, ParseResult parsed) {
        Predicate<String> isGiven =
                option -> parsed.hasMatchedOption(prefix + option) || parsed.hasMatchedOption(ONE + option);
        Backends.set(end, option -> {
            OptionSpec own = parsed.matchedOption(prefix + option);
            boolean isForTheOther = shared.contains(option) && !end.takes(option, isGiven);
            return own != null || isForTheOther ? own : parsed.matchedOption(ONE + option);
        });
    }

    /** Returns whether both ends use one backend, with the same options. */
    public boolean areSame(String fromName, String toName, ParseResult parsed) {
        return fromName.equals(toName)
                && from.owners().entrySet().stream()
                        .filter(option -> option.getValue().contains(fromName))
                        .map(Map.Entry::getKey)
                        .allMatch(option -> values(FROM + option, parsed).equals(values(TO + option, parsed)));
    }

    private static List<String> values(String option, ParseResult parsed) {
        OptionSpec given = parsed.matchedOption(option);
        return given == null ? List.of() : given.originalStringValues();
    }

    /** Returns the source, with its options. */
    public BackendFactory from(String name) {
        return from.find(name);
    }

    /** Returns the target, with its options. */
    public BackendFactory to(String name) {
        return to.find(name);
    }
}
