package io.counterkit.cli.single;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Outcome;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.cli.backend.BackendOption;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.FileNames;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Json;
import io.counterkit.cli.console.ShellWords;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What the commands have in common that make one call: which backend it goes to, in which form the answer comes, and
 * how a failure is told.
 */
@Command(
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:nothing was changed, or something could not be read",
            "2:the command was not understood",
            "3:it may have been done, or not; the command that decides it is shown"
        })
public final class SingleCall {
    static final int FAILED = 1;
    static final int UNKNOWN = 3;

    private final Backends backends;
    private final Console console;
    private final Interrupt interrupt;

    @Mixin
    private BackendOption backend = new BackendOption();

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--json", description = "Print the answer as one line of JSON.")
    private boolean json;

    /** A call on these streams, with a choice of these backends; each command needs one of its own. */
    public SingleCall(Backends backends, Console console, Interrupt interrupt) {
        this.backends = backends;
        this.console = console;
        this.interrupt = interrupt;
    }

    /** What a command does, once its arguments are checked. */
    @FunctionalInterface
    interface Work {
        void on(Counters counters, Reply reply);
    }

    /** As {@link Work}, for what wants more of the backend than the API has. */
    @FunctionalInterface
    interface BackendWork {
        void on(Counters counters, OpenBackend open, Reply reply);
    }

    /** As {@link #readOnBackend}. */
    int read(Supplier<Work> checked) {
        return readOnBackend(onBackend(checked));
    }

    /** As {@link #changeOnBackend}. */
    int change(Supplier<Work> checked) {
        return changeOnBackend(onBackend(checked));
    }

    private static Supplier<BackendWork> onBackend(Supplier<Work> checked) {
        return () -> {
            Work work = checked.get();
            return (counters, open, reply) -> work.on(counters, reply);
        };
    }

    /** As {@link #run}, for a command that changes nothing. */
    int readOnBackend(Supplier<BackendWork> checked) {
        interrupt.finishing(() -> "the reading");
        return run(false, checked);
    }

    /** As {@link #run}, for a command that changes something: it has done so once the store is closed. */
    int changeOnBackend(Supplier<BackendWork> checked) {
        interrupt.finishing(() -> "the change");
        int exitCode = run(true, checked);
        if (exitCode == 0) {
            backend.tellIfNothingIsKept(backends, spec, console);
        }
        return exitCode;
    }

    /**
     * Runs a command and returns its exit code.
     *
     * @param changes whether something is changed
     * @param checked checks the arguments, before the store is even opened, and returns what to do
     * @throws ParameterException if an argument is refused, then or later, or the backend lacks the ability
     */
    private int run(boolean changes, Supplier<BackendWork> checked) {
        Reply reply = new Reply(console, interrupt, json);
        try {
            BackendWork work = checked.get();
            try (OpenBackend open = backend.openDurable(backends, spec, console);
                    Counters counters = Counters.over(open.backend())) {
                work.on(counters, open, reply);
            }
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } catch (CounterException e) {
            return failed(e);
        } catch (UncheckedIOException e) { // from closing the store
            return failed(FileNames.problem(e), changes);
        }
        return reply.end();
    }

    private int failed(String problem, boolean changes) {
        console.err().println("counter: " + problem);
        Json failure = Json.object().with("error", problem);
        if (changes) {
            failure.with("outcome", "unknown");
        }
        if (json) {
            console.out().println(failure);
        }
        console.out().flush();
        return changes ? UNKNOWN : FAILED;
    }

    private int failed(CounterException e) {
        console.err().println("counter: " + e.getMessage());
        Json failure = Json.object()
                .with("outcome", e.outcome() == Outcome.UNKNOWN ? "unknown" : "not applied")
                .with("error", e.getMessage());
        if (e instanceof OutcomeUnknownException unknown) {
            String token = unknown.token().value();
            boolean isLikeAnOption = token.startsWith("-");
            List<String> resolve = new ArrayList<>(List.of("counter", "resolve"));
            resolve.addAll(isLikeAnOption ? List.of() : List.of(token));
            resolve.addAll(backend.given(backends, spec));
            resolve.addAll(isLikeAnOption ? List.of("--", token) : List.of());
            console.err()
                    .println("counter: it may have been applied or not; this decides it: " + ShellWords.join(resolve));
            failure.with("token", unknown.token().value());
        }
        if (json) {
            console.out().println(failure);
        }
        console.out().flush();
        return e.outcome() == Outcome.UNKNOWN ? UNKNOWN : FAILED;
    }
}
