package io.counterkit.cli.single;

import io.counterkit.Counters;
import io.counterkit.cli.backend.BackendFactory.Opening;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.FileNames;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Runs a command that makes one call: opens the store, makes the call, closes the store and prints the result. */
public final class SingleCall {
    private static final List<String> ORDER = List.of(
            "add get watch list top reset delete next append entries follow erase adopt import-extension seal describe reshard check resolve"
                    .split(" "));

    private SingleCall() {}

    /** Returns the methods that are commands, by the names of the commands, in the order of the help. */
    public static Map<String, Method> commands() {
        Map<String, Method> commands =
                new TreeMap<>(Comparator.<String>comparingInt(ORDER::indexOf).thenComparing(Comparator.naturalOrder()));
        Stream.of(
                        CounterCommands.class,
                        SequenceCommands.class,
                        NameCommands.class,
                        LiveCommands.class,
                        ExtensionCommand.class)
                .flatMap(type -> CommandLine.getCommandMethods(type, null).stream())
                .forEach(method ->
                        commands.put(method.getAnnotation(Command.class).name(), method));
        return commands;
    }

    /** What a command does with the store. */
    @FunctionalInterface
    interface Work {
        void on(Counters counters, OpenBackend open, Reply reply);
    }

    /**
     * Returns {@code ability}, which only some backends have.
     *
     * @param lack what the chosen backend lacks, and which one to use, for the message if {@code ability} is null
     */
    static <T> T required(@Nullable T ability, CommandContext context, String lack) {
        if (ability == null) {
            throw new UnsupportedOperationException("backend '" + context.backend() + "' " + lack);
        }
        return ability;
    }

    /** Runs a command that changes nothing, and returns the exit code. */
    static int read(CommandContext context, Opening opening, Work work) {
        context.interrupt().finishing(() -> "the reading");
        Reply reply = new Reply(context);
        run(context, opening, work, reply);
        int exitCode = reply.end();
        return exitCode == 0 && context.console().lostOutput() != null ? Failures.FAILED : exitCode;
    }

    /**
     * Runs a command that changes something, and returns the exit code. The change is certain once the store is closed.
     */
    static int change(CommandContext context, Opening opening, Work work) {
        context.interrupt().finishing(() -> "the change");
        Reply reply = new Reply(context);
        try {
            run(context, opening, work, reply);
        } catch (UncheckedIOException e) { // from closing the store
            return context.failures().unknown(FileNames.problem(e));
        }
        int exitCode = reply.end();
        if (exitCode == 0) {
            context.warnIfNothingIsKept();
        }
        return exitCode;
    }

    private static void run(CommandContext context, Opening opening, Work work, Reply reply) {
        try (OpenBackend open = context.open(opening);
                Counters counters = Counters.over(open.backend())) {
            work.on(counters, open, reply);
        }
    }
}
