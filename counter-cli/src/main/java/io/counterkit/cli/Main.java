package io.counterkit.cli;

import io.counterkit.OutcomeUnknownException;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.console.Arguments;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.FileNames;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Termination;
import io.counterkit.cli.ingest.IngestCommand;
import io.counterkit.cli.migrate.MigrateCommand;
import io.counterkit.cli.single.SingleCall;
import io.counterkit.firestore.emulator.EmulatorUnavailableException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The {@code counter} command. */
public final class Main {
    private static final List<String> ON_ALL_COMMANDS = List.of("completion", "help");

    private Main() {}

    /** Runs the command in this process and ends the process. */
    public static void main(String[] args) {
        runInProcess(Backends.onClassPath(), args);
    }

    /** Runs the command on {@code backends} and ends the process. */
    static void runInProcess(Backends backends, String... args) {
        Console console = Console.ofProcess();
        Interrupt interrupt = new Interrupt();
        new Termination(console, interrupt, System::nanoTime, Runtime.getRuntime()::halt).install();
        System.exit(runAsTyped(backends, console, interrupt, args));
    }

    private static int runAsTyped(Backends backends, Console console, Interrupt interrupt, String... args) {
        try {
            Stream.of(args).forEach(FileNames::checkArgument);
        } catch (IllegalArgumentException e) {
            return Failures.of(console, args).misuse(e.getMessage(), "counter");
        }
        return run(backends, console, interrupt, args);
    }

    /** Runs the command and returns its exit code. */
    static int run(Backends backends, Console console, Interrupt interrupt, String... args) {
        Failures failures = Failures.of(console, args);
        CommandLine command = commands(backends, console, interrupt, args)
                .setExpandAtFiles(false) // @name is a name, even if there is such a file
                .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, all) -> failures.misuse(e))
                .setExecutionExceptionHandler((e, failed, parsed) -> failed(e, failed, failures));
        Arguments.register(command);
        // An unknown command with --help would otherwise print the help of the program.
        boolean isUnknown = args.length > 0
                && !args[0].startsWith("-")
                && !command.getSubcommands().containsKey(args[0]);
        int exitCode = command.execute(isUnknown ? new String[] {args[0]} : args);
        String problem = console.lostOutput();
        if (problem != null) {
            console.say("the output could not be written: " + problem);
        }
        // Ctrl-C may also have ended the input, so that the command has completed normally.
        return interrupt.isRequested() && exitCode == 0 ? Interrupt.EXIT_CODE : exitCode;
    }

    /** Reports a failure and returns the exit code. An invalid argument is always one of the user's. */
    private static int failed(Exception e, CommandLine command, Failures failures) {
        CommandContext context = CommandContext.of(command);
        if (e instanceof IllegalArgumentException
                || e instanceof UnsupportedOperationException
                || e instanceof EmulatorUnavailableException) {
            return failures.misuse(new ParameterException(command, e.getMessage()));
        }
        return failures.failed(
                e,
                context != null && e instanceof OutcomeUnknownException unknown
                        ? context.resolving(unknown)
                        : List.of());
    }

    /** Creates the requested command, or else all: creating all takes half the time of a short run. */
    private static CommandLine commands(Backends backends, Console console, Interrupt interrupt, String... args) {
        IFactory factory = new IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                return type == CommandContext.class
                        ? type.cast(new CommandContext(backends, console, interrupt))
                        : type == Backends.class
                                ? type.cast(backends)
                                : CommandLine.defaultFactory().create(type);
            }
        };
        Map<String, Object> all = new LinkedHashMap<>(SingleCall.commands());
        all.put("ingest", IngestCommand.class);
        all.put("soak", SoakCommand.class);
        all.put("migrate", new MigrateCommand(backends, console, interrupt));
        CommandLine command = new CommandLine(new CounterCommand(backends));
        command.getCommandSpec().version(CounterCommand.version());
        if (args.length > 0 && all.containsKey(args[0])) {
            all.keySet().retainAll(Set.of(args[0]));
        } else {
            ON_ALL_COMMANDS.forEach(name -> all.put(
                    name,
                    CommandLine.getCommandMethods(CounterCommand.class, name).get(0)));
        }
        all.values().forEach(one -> add(command, new CommandLine(one, factory)));
        backends.describe(command.getCommandSpec());
        return command.setHelpFactory(new HelpTexts());
    }

    private static void add(CommandLine command, CommandLine sub) {
        command.addSubcommand(sub);
        sub.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .arity("0")
                        .description("Show this help message and exit.")
                        .build());
        sub.getCommandSpec().usageMessage().abbreviateSynopsis(true);
        CommandContext context = CommandContext.of(sub);
        if (context != null) {
            context.addBackendOptions();
        }
    }
}
