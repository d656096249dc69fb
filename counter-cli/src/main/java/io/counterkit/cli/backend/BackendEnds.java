package io.counterkit.cli.backend;

import io.counterkit.cli.console.Arguments;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The source and the target of a command, with their options. Each option of a backend has three forms: its name, and
 * the name with {@code --from-} or {@code --to-} in front. The name alone applies to the end that uses this backend. If
 * both ends have the option, it applies to each end that {@linkplain BackendFactory#takes takes} it, unless the form
 * for that end is given too. If both ends use the same backend, the name alone is refused. The other two forms apply to
 * one end.
 */
public record BackendEnds(BackendFactory from, BackendFactory to) {
    private static final String ONE = "--";
    private static final String FROM = "--from-";
    private static final String TO = "--to-";

    /** Adds the options of both ends to a command. */
    public static void addOptions(Backends backends, CommandSpec command) {
        Stream.of(ONE, FROM, TO).forEach(prefix -> backends.addTo(command, prefix));
    }

    /**
     * Returns the ends with these names, and sets their options to those in the arguments of a command.
     *
     * @throws IllegalArgumentException if an option belongs to neither end, or it is not clear to which; the message is
     *     for the user
     */
    public static BackendEnds choose(Backends backends, String from, String to, ParseResult parsed) {
        BackendEnds ends = new BackendEnds(backends.find(from), backends.copy().find(to));
        backends.owners().forEach((option, owners) -> check(option, owners, from, to, parsed));
        set(ends.from, FROM, Backends.optionNames(ends.to), parsed);
        set(ends.to, TO, Backends.optionNames(ends.from), parsed);
        return ends;
    }

    private static void check(String option, List<String> owners, String from, String to, ParseResult parsed) {
        boolean isFrom = owners.contains(from);
        boolean isTo = owners.contains(to);
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
                !from.equals(to),
                ONE + option + " can mean source or target: use " + FROM + option + " or " + TO + option);
        Arguments.check(
                given.size() <= (isFrom && isTo ? 2 : 1),
                String.join(" and ", given) + " are the same: use " + (isFrom && isTo ? "two" : "one") + " of them");
    }

    private static void set(BackendFactory end, String prefix, List<String> ofTheOther, ParseResult parsed) {
        Predicate<String> isGiven =
                option -> parsed.hasMatchedOption(prefix + option) || parsed.hasMatchedOption(ONE + option);
        Backends.set(end, option -> {
            OptionSpec own = parsed.matchedOption(prefix + option);
            boolean isForTheOther = ofTheOther.contains(option) && !end.takes(option, isGiven);
            return own != null || isForTheOther ? own : parsed.matchedOption(ONE + option);
        });
    }

    /** Returns whether both ends use one backend, with the same options. */
    public boolean areSame(ParseResult parsed) {
        return from.name().equals(to.name())
                && Backends.optionNames(from).stream()
                        .allMatch(option -> values(FROM + option, parsed).equals(values(TO + option, parsed)));
    }

    private static List<String> values(String option, ParseResult parsed) {
        OptionSpec given = parsed.matchedOption(option);
        return given == null ? List.of() : given.originalStringValues();
    }
}
