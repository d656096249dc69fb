package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.Interrupt;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every command on one backend has: the options {@code --backend} and {@code --json}, and the streams. */
@Command(
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:nothing was changed, or something could not be read",
            "2:the arguments are invalid, or the store cannot be used",
            "3:the change may have been applied or not; the command that decides it is printed"
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

    /** Adds the options of all backends to the command, after its own: picocli passes arguments to a method by order. */
    public void addBackendOptions() {
        backends.addTo(spec, "--");
    }

    /** Returns the streams. */
    public Console console() {
        return console;
    }

    /** Returns what asks the command to end early. */
    public Interrupt interrupt() {
        return interrupt;
    }

    /** Returns whether a program reads the output. */
    public boolean isJson() {
        return json;
    }

    /** Returns what reports the failures of the command. */
    public Failures failures() {
        return new Failures(console, json);
    }

    /** Returns the name of the backend. */
    public String backend() {
        return backend;
    }

    /** Returns the parsed command. */
    public CommandSpec spec() {
        return spec;
    }

    /** Returns the exception that reports an invalid argument. */
    public ParameterException misuse(@Nullable String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }

    /** Opens the backend as {@link #open(Function)} does, for a command that runs for long. */
    public OpenBackend open() {
        return open(BackendFactory::open);
    }

    /**
     * Opens the backend.
     *
     * @param opening calls one of the methods that open a backend
     * @throws ParameterException if its options are invalid, or options of another backend are given
     * @throws NotAppliedException if its store cannot be reached
     */
    public OpenBackend open(Function<BackendFactory, OpenBackend> opening) {
        try {
            backends.choose(backend, spec.commandLine().getParseResult());
            OpenBackend open = opening.apply(backends.find(backend));
            if (open.notice() != null) {
                console.say(open.notice());
            }
            return open;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Sets the backend, unless the user has chosen one. */
    public void useByDefault(String name) {
        if (!isChosen()) {
            backend = name;
        }
    }

    private boolean isChosen() {
        return spec.commandLine().getParseResult().hasMatchedOption("--backend");
    }

    /** Returns whether the store keeps changes after the command has ended, so that other programs may change it too. */
    public boolean isKept() {
        return backends.find(backend).keeps();
    }

    /** Returns whether a change to what {@link #open} opens survives a kill of this process once it is acknowledged. */
    public boolean isDurable() {
        return backends.find(backend).isDurable();
    }

    /**
     * Returns whether calls to the store can be disturbed; on some stores only if it is an emulator.
     *
     * @throws ParameterException if there is no such backend
     */
    public boolean hasFaults() {
        try {
            return backends.find(backend).hasFaults();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Warns if changes are lost when the command ends, unless the user has chosen the backend. */
    public void warnIfNothingIsKept() {
        if (!isChosen() && !isKept()) {
            console.say("backend '" + backend + "' keeps nothing after the command has ended: choose another with"
                    + " --backend to keep the change");
        }
    }

    /** Returns the words of a command line that choose the same backend, with the same options. */
    public List<String> backendWords() {
        return Stream.concat(
                        Stream.of("--backend", backend),
                        backends.optionWords(backend, spec.commandLine().getParseResult()).stream())
                .toList();
    }
}
