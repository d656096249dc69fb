package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.cli.backend.BackendFactory.Opening;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.Interrupt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The options {@code --backend} and {@code --json} of a command on one backend, and its streams. */
@Command(
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:nothing was changed, or something could not be read",
            "2:the arguments are invalid, or the store cannot be used",
            "3:the outcome of a change is unknown; the command that resolves it is printed"
        })
public final class CommandContext {
    private final Backends backends;
    private final Console console;
    private final Interrupt interrupt;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--backend", paramLabel = "NAME", completionCandidates = Backends.class)
    private String backend;

    @Option(names = "--json")
    private boolean json;

    private @Nullable BackendFactory chosen;

    /** Creates the context of one command. */
    public CommandContext(Backends backends, Console console, Interrupt interrupt) {
        this.backends = backends;
        this.backend = backends.defaultName();
        this.console = console;
        this.interrupt = interrupt;
    }

    /** Returns the context of a command; null if the command is not on one backend. */
    public static @Nullable CommandContext of(CommandLine command) {
        return command.getMixins().values().stream()
                .filter(CommandContext.class::isInstance)
                .map(CommandContext.class::cast)
                .findFirst()
                .orElse(null);
    }

    /**
     * Adds the options of all backends to the command, after its own: picocli passes arguments to a method by order.
     */
    public void addBackendOptions() {
        backends.addTo(spec, "--");
    }

    /** Returns the streams. */
    public Console console() {
        return console;
    }

    /** Returns the interrupt that asks the command to end early. */
    public Interrupt interrupt() {
        return interrupt;
    }

    /** Returns whether the output is JSON. */
    public boolean isJson() {
        return json;
    }

    /** Returns the reporter of failures. */
    public Failures failures() {
        return new Failures(console, json);
    }

    /** Returns the name of the backend. */
    public String backend() {
        return backend;
    }

    private ParseResult parsed() {
        return spec.commandLine().getParseResult();
    }

    /**
     * Opens the backend.
     *
     * @throws IllegalArgumentException if its options are invalid, or options of another backend are given
     * @throws NotAppliedException if its store cannot be reached
     */
    public OpenBackend open(Opening opening) {
        OpenBackend open = factory().open(opening);
        if (open.notice() != null) {
            console.say(open.notice());
        }
        return open;
    }

    /** Sets the backend, unless the user has chosen one. */
    public void useByDefault(String name) {
        if (!isChosen()) {
            backend = name;
        }
    }

    private boolean isChosen() {
        return parsed().hasMatchedOption("--backend");
    }

    /**
     * Returns the backend with the given options.
     *
     * @throws IllegalArgumentException if there is none of this name, or options of another backend are given
     */
    public BackendFactory factory() {
        if (chosen == null) {
            chosen = backends.choose(backend, parsed());
        }
        return chosen;
    }

    /** Warns if changes are lost when the command ends, unless the user has chosen the backend. */
    public void warnIfNothingIsKept() {
        if (!isChosen() && !factory().keeps()) {
            console.say("backend '" + backend + "' keeps nothing after the command has ended: choose another with"
                    + " --backend to keep the change");
        }
    }

    /** Returns the options of the backend that are given, with their values; "" for none. */
    public Map<String, String> backendOptions() {
        return backends.optionsOf(backend, parsed());
    }

    /** Returns the words of the command line that decides the outcome of a change. */
    public List<String> resolving(OutcomeUnknownException failure) {
        String token = failure.token().value();
        boolean isLikeAnOption = token.startsWith("-");
        List<String> words = new ArrayList<>(List.of("counter", "resolve"));
        words.addAll(isLikeAnOption ? List.of() : List.of(token));
        words.addAll(List.of("--backend", backend));
        backendOptions()
                .forEach((option, value) -> words.addAll(value.isEmpty() ? List.of(option) : List.of(option, value)));
        words.addAll(isLikeAnOption ? List.of("--", token) : List.of());
        return words;
    }
}
