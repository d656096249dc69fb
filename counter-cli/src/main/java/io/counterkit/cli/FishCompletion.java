package io.counterkit.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Generates the completion script for fish, which picocli does not support. */
final class FishCompletion {
    private static final String NO_COMMAND = "__fish_use_subcommand";

    private FishCompletion() {}

    /** Returns the script that completes the commands of {@code counter} and their options. */
    static String script(CommandLine counter) {
        counter.setResourceBundle(HelpTexts.bundle());
        List<String> lines = new ArrayList<>();
        lines.add("complete -c counter -f");
        for (Map.Entry<String, CommandLine> entry : counter.getSubcommands().entrySet()) {
            CommandLine command = entry.getValue();
            String isGiven = "__fish_seen_subcommand_from " + entry.getKey();
            String header =
                    String.join(" ", command.getCommandSpec().usageMessage().header());
            lines.add(line(NO_COMMAND) + " -a " + entry.getKey() + " -d " + quoted(firstWords(header)));
            for (OptionSpec option : command.getCommandSpec().options()) {
                lines.add(line(isGiven) + names(option) + values(option) + " -d "
                        + quoted(firstWords(String.join(" ", option.description()))));
            }
        }
        lines.add(line("__fish_seen_subcommand_from ingest") + " -F");
        lines.add(line("__fish_seen_subcommand_from help") + " -a "
                + quoted(String.join(" ", counter.getSubcommands().keySet())));
        lines.add(line("__fish_seen_subcommand_from completion") + " -a 'bash zsh fish'");
        return String.join("\n", lines) + "\n";
    }

    private static String line(String condition) {
        return "complete -c counter -n " + quoted(condition);
    }

    private static String names(OptionSpec option) {
        StringBuilder names = new StringBuilder();
        for (String name : option.names()) {
            names.append(name.startsWith("--") ? " -l " : " -s ").append(name.replaceFirst("^--?", ""));
        }
        return names.toString();
    }

    /** Returns how the shell completes the value of an option: by file names, by known values, or not at all. */
    private static String values(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        if (option.completionCandidates() == null) {
            return List.of("DIR", "FILE").contains(option.paramLabel()) ? " -r -F" : " -x";
        }
        return " -x -a " + quoted(String.join(" ", option.completionCandidates()));
    }

    private static String firstWords(String text) {
        return text.replaceFirst("[.:;(,].*", "");
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
