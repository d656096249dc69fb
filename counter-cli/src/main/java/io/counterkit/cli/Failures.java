package io.counterkit.cli;

import io.counterkit.CounterException;
import io.counterkit.Outcome;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.FileNames;
import io.counterkit.cli.console.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * How a failure is told: in one line to people, and with {@code --json} in an object to programs as well.
 *
 * @param json whether a program asks
 */
record Failures(Console console, boolean json) {
    private static final int UNKNOWN = 3;

    /** Those of a command with these arguments, which need not make sense. */
    static Failures of(Console console, String... args) {
        return new Failures(
                console,
                Arrays.stream(args).takeWhile(word -> !word.equals("--")).anyMatch("--json"::equals));
    }

    /** What is wrong with the arguments, what may have been meant, and where help is. Returns the exit code. */
    int misuse(ParameterException e) {
        List<String> meant = e instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        String problem = e instanceof UnmatchedArgumentException unmatched ? unknown(unmatched) : e.getMessage();
        return misuse(
                problem + (meant.isEmpty() ? "" : "; did you mean " + meant.get(0) + "?"),
                e.getCommandLine().getCommandSpec().qualifiedName());
    }

    /** As {@link #misuse(ParameterException)}, for the help of {@code command}. */
    int misuse(@Nullable String problem, String command) {
        tell(problem + " (see " + command + " --help)");
        tellProgram(Json.object().with("outcome", "not applied").with("error", problem));
        return ExitCode.USAGE;
    }

    private static String unknown(UnmatchedArgumentException e) {
        String first = e.getUnmatched().get(0);
        boolean hasCommands = !e.getCommandLine().getSubcommands().isEmpty();
        return "unknown " + (first.startsWith("-") ? "option" : hasCommands ? "command" : "argument") + " '" + first
                + "'";
    }

    /** What a command could not do. Returns the exit code. */
    int failed(Exception e) {
        if (e instanceof CounterException failure) {
            boolean isUnknown = failure.outcome() == Outcome.UNKNOWN;
            Json told = Json.object()
                    .with("outcome", isUnknown ? "unknown" : "not applied")
                    .with("error", failure.getMessage());
            if (failure instanceof OutcomeUnknownException unknown) {
                told.with("token", unknown.token().value());
            }
            int exitCode = failed(failure.getMessage(), told);
            return isUnknown ? UNKNOWN : exitCode;
        }
        if (e instanceof IOException || e instanceof UncheckedIOException) {
            String problem = FileNames.problem(e);
            return failed(problem, Json.object().with("error", problem));
        }
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return failed("interrupted", Json.object().with("error", "interrupted"));
        }
        String problem = "this is a mistake in counter itself, and what was begun may have been done or not; please"
                + " report it with what follows: " + e.getMessage();
        int unused = failed(problem, Json.object().with("outcome", "unknown").with("error", problem));
        e.printStackTrace(console.err());
        return UNKNOWN;
    }

    private int failed(@Nullable String problem, Json told) {
        tell(problem);
        tellProgram(told);
        return ExitCode.SOFTWARE;
    }

    private void tell(@Nullable String problem) {
        console.err().println("counter: " + problem);
    }

    private void tellProgram(Json failure) {
        if (json) {
            console.out().println(failure);
            console.out().flush();
        }
    }
}
