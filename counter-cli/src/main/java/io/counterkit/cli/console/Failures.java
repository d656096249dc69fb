package io.counterkit.cli.console;

import io.counterkit.CounterException;
import io.counterkit.Outcome;
import io.counterkit.OutcomeUnknownException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports failures: in one line to people, and with {@code --json} as one object to programs. Each method returns the
 * exit code.
 *
 * @param json whether a program reads the output
 */
public record Failures(Console console, boolean json) {
    /** The exit code if nothing was changed, or something could not be read. */
    public static final int FAILED = ExitCode.SOFTWARE;

    /** The exit code if a change may have been applied or not. */
    public static final int UNKNOWN = 3;

    /** Returns the failures of a command with these arguments, which need not be valid. */
    public static Failures of(Console console, String... args) {
        return new Failures(
                console,
                Arrays.stream(args).takeWhile(word -> !word.equals("--")).anyMatch("--json"::equals));
    }

    /** Reports invalid arguments, with a suggestion and with the command that prints help. */
    public int misuse(ParameterException e) {
        String problem = e instanceof UnmatchedArgumentException unmatched
                ? unknown(unmatched)
                : inWords(String.valueOf(e.getMessage()));
        return misuse(problem, e.getCommandLine().getCommandSpec().qualifiedName());
    }

    /** Rewrites a message of the parser in the user's terms. */
    private static String inWords(String message) {
        return message.replaceFirst("^Invalid value for option '(--[\\w-]+)'[^:]*: ", "$1: ")
                .replaceFirst("^Invalid value for positional parameter at index [^(]*\\((\\w+)\\): ", "$1: ")
                .replaceFirst(
                        "^Missing required parameter for option '(--[\\w-]+)' \\((\\w+)\\)", "$1 needs a value: $2")
                .replaceFirst(
                        "^Expected parameter for option '(--[\\w-]+)' but found '(.*)'$",
                        "$1 needs a value, but '$2' is an option")
                .replaceFirst("^Missing required (?:parameter|option): '(.*)'$", "$1 is missing")
                .replaceFirst("^Missing required (?:parameter|option)s: '(.*)', '(.*)'$", "$1 and $2 are missing")
                .replaceFirst("^option '(--[\\w-]+)'.* should be specified only once", "$1 is given twice")
                .replaceFirst("expected one of \\[(.*)] \\(case-\\w+\\) but was ('.*')", "$2 is not one of $1");
    }

    /** Reports invalid arguments of {@code command}. */
    public int misuse(@Nullable String problem, String command) {
        console.say(problem + " (see " + command + " --help)");
        print(Json.object().with("outcome", "not applied").with("error", problem));
        return ExitCode.USAGE;
    }

    private static String unknown(UnmatchedArgumentException e) {
        String first = e.getUnmatched().get(0);
        CommandSpec command = e.getCommandLine().getCommandSpec();
        boolean hasCommands = !command.subcommands().isEmpty();
        boolean isOption = first.startsWith("-");
        return "unknown " + (isOption ? "option" : hasCommands ? "command" : "argument") + " '" + first + "'"
                + (isOption && hasCommands ? ": options come after the command" : "")
                + Suggestion.of(first, (isOption ? command.optionsMap() : command.subcommands()).keySet());
    }

    /**
     * Reports why a command failed.
     *
     * @param deciding the command that decides an unknown outcome; empty if there is none
     */
    public int failed(Exception e, List<String> deciding) {
        if (e instanceof CounterException failure) {
            boolean isUnknown = failure.outcome() == Outcome.UNKNOWN;
            Json json = Json.object().with("outcome", isUnknown ? "unknown" : "not applied");
            if (failure instanceof OutcomeUnknownException unknown) {
                json.with("token", unknown.token().value());
            }
            int exitCode = failed(isUnknown ? UNKNOWN : FAILED, failure.getMessage(), json);
            if (!deciding.isEmpty()) {
                console.say("the outcome is unknown; this command resolves it: " + ShellWords.join(deciding));
            }
            return exitCode;
        }
        if (e instanceof IOException || e instanceof UncheckedIOException) {
            return failed(FAILED, FileNames.problem(e), Json.object());
        }
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return failed(FAILED, "interrupted", Json.object());
        }
        int exitCode = unknown("this is a defect of counter, and it is unknown whether the command was applied:"
                + " please report it with the lines below: " + e.getMessage());
        e.printStackTrace(console.err());
        return exitCode;
    }

    /** Reports a failure that leaves open whether the command was applied. */
    public int unknown(String problem) {
        return failed(UNKNOWN, problem, Json.object().with("outcome", "unknown"));
    }

    private int failed(int exitCode, @Nullable String problem, Json failure) {
        console.say(problem);
        print(failure.with("error", problem));
        return exitCode;
    }

    private void print(Json failure) {
        if (json) {
            console.out().println(failure);
        }
    }
}
