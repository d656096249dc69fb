package io.counterkit.cli.single;

import io.counterkit.Counters;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.FileNames;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
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
        Map<String, Method> commands = new TreeMap<>(Comparator.comparing(ORDER::indexOf));
        Stream.of(
                        CounterCommands.class,
                        SequenceCommands.class,
                        NameCommands.class,
                        WatchCommand.class,
                        FollowCommand.class,
                        ExtensionCommand.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Command.class))
                .forEach(method ->
                        commands.put(method.getAnnotation(Command.class).name(), method));
        return commands;
    }

    /** What a command does with the store. */
    @FunctionalInterface
    interface Work {
        void on(Counters counters, OpenBackend open, Reply reply);
    }

    /** Throws {@link IllegalArgumentException} with this problem unless the arguments are valid. */
    static void check(boolean isValid, String problem) {
        if (!isValid) {
            throw new IllegalArgumentException(problem);
        }
    }

    /** Runs a command that changes nothing, and returns the exit code. */
    static int read(CommandContext context, Work work) {
        return read(context, BackendFactory::openForReading, work);
    }

    /** Runs a command that reads what other commands write meanwhile; so the store is created if there is none. */
    static int readLive(CommandContext context, Work work) {
        return read(context, BackendFactory::openDurable, work);
    }

    private static int read(CommandContext context, Function<BackendFactory, OpenBackend> opening, Work work) {
        context.interrupt().finishing(() -> "the reading");
        Reply reply = new Reply(context);
        run(context, opening, work, reply);
        int exitCode = reply.end();
        return exitCode == 0 && context.console().lostOutput() != null ? Failures.FAILED : exitCode;
    }

    /** Runs a command that changes something, and returns the exit code. The change is certain once the store is closed. */
    static int change(CommandContext context, Work work) {
        return change(context, BackendFactory::openDurable, work);
    }

    /** Runs a command that changes what exists, as {@link #change}, and creates no store to refuse the command afterwards. */
    static int changeExisting(CommandContext context, Work work) {
        return change(context, BackendFactory::openForReading, work);
    }

    private static int change(CommandContext context, Function<BackendFactory, OpenBackend> opening, Work work) {
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

    private static void run(
            CommandContext context, Function<BackendFactory, OpenBackend> opening, Work work, Reply reply) {
        try (OpenBackend open = context.open(opening);
                Counters counters = Counters.over(open.backend())) {
            work.on(counters, open, reply);
        }
    }

    /**
     * Reports the failure of a command, and returns the exit code; null if {@code command} is not a single call. The
     * command and the library check the arguments, so every refusal is one of an argument.
     */
    public static @Nullable Integer report(Exception failure, CommandLine command) {
        CommandContext context = CommandContext.of(command);
        if (context == null || !(command.getCommand() instanceof Method)) {
            return null;
        }
        if (failure instanceof IllegalArgumentException || failure instanceof UnsupportedOperationException) {
            return context.failures().misuse(context.misuse(failure.getMessage()));
        }
        List<String> deciding = failure instanceof OutcomeUnknownException unknown
                ? decidingCommand(context, unknown.token().value())
                : List.of();
        return context.failures().failed(failure, deciding);
    }

    private static List<String> decidingCommand(CommandContext context, String token) {
        boolean isLikeAnOption = token.startsWith("-");
        List<String> words = new ArrayList<>(List.of("counter", "resolve"));
        words.addAll(isLikeAnOption ? List.of() : List.of(token));
        words.addAll(context.backendWords());
        words.addAll(isLikeAnOption ? List.of("--", token) : List.of());
        return words;
    }
}
