package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import io.counterkit.cli.console.Console;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option that chooses the backend, the same in every command. */
public final class BackendOption {
    @Option(
            names = "--backend",
            paramLabel = "NAME",
            description = "Where the counters live, see below. Default: ${DEFAULT-VALUE}.")
    private String name = "inmemory";

    /**
     * Makes the backend that the user chose.
     *
     * @throws ParameterException if there is none of that name, its options do not make sense, or those of another one
     *     are given
     * @throws NotAppliedException if its store cannot be reached
     */
    public OpenBackend open(Backends backends, CommandSpec command, Console console) {
        return open(backends::open, backends, command, console);
    }

    /** As {@link #open}, and what the backend has acknowledged is there at once, not only after the command. */
    public OpenBackend openDurable(Backends backends, CommandSpec command, Console console) {
        return open(backends::openDurable, backends, command, console);
    }

    private OpenBackend open(
            Function<String, OpenBackend> opening, Backends backends, CommandSpec command, Console console) {
        try {
            backends.checkOptions(name, command);
            OpenBackend open = opening.apply(name);
            open.tell(console);
            return open;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /** Says that what is changed is not kept, where that is so and the user has not chosen it. */
    public void tellIfNothingIsKept(Backends backends, CommandSpec command, Console console) {
        boolean isChosen = command.commandLine().getParseResult().hasMatchedOption("--backend");
        if (!isChosen && !backends.find(name).keeps()) {
            console.err()
                    .println("counter: backend '" + name + "' keeps nothing when the command has ended: choose another"
                            + " with --backend to keep what is changed");
        }
    }

    /** The options that the user chose the backend with, as words that choose it once more. */
    public List<String> given(Backends backends, CommandSpec command) {
        return Stream.concat(Stream.of("--backend", name), backends.optionsGiven(name, command).stream())
                .toList();
    }
}
