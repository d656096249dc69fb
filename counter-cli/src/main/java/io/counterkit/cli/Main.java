package io.counterkit.cli;

import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.console.Arguments;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.ProcessArguments;
import io.counterkit.cli.console.Termination;
import io.counterkit.cli.ingest.IngestCommand;
import io.counterkit.cli.migrate.MigrateCommand;
import io.counterkit.cli.single.SingleCall;
import io.counterkit.cli.soak.SoakCommand;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** The {@code counter} command. */
public final class Main {
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
        int exitCode = runAsTyped(backends, console, interrupt, args);
        // The same Ctrl-C can have ended the input, so that the command did not notice it.
        System.exit(interrupt.isRequested() && exitCode == 0 ? Interrupt.EXIT_CODE : exitCode);
    }

    private static int runAsTyped(Backends backends, Console console, Interrupt interrupt, String... args) {
        String[] typed;
        try {
            typed = ProcessArguments.asTyped(args);
        } catch (IllegalArgumentException e) {
            return Failures.of(console, args).misuse(e.getMessage(), "counter");
        }
        return run(backends, console, interrupt, typed);
    }

    /** Runs the command and returns its exit code. */
    static int run(Backends backends, Console console, Interrupt interrupt, String... args) {
        Failures failures = Failures.of(console, args);
        CommandLine command = commands(backends, console, interrupt)
                .setExpandAtFiles(false) // @name is a name, even if there is such a file
                .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, unparsed) -> failures.misuse(e))
                .setExecutionExceptionHandler((e, failed, parsed) -> {
                    Integer exitCode = SingleCall.report(e, failed);
                    return exitCode == null ? failures.failed(e) : exitCode;
                });
        Arguments.register(command);
        int exitCode = command.execute(args);
        console.out().flush();
        return exitCode;
    }

    private static CommandLine commands(Backends backends, Console console, Interrupt interrupt) {
        IFactory contexts = new IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                return type == CommandContext.class
                        ? type.cast(new CommandContext(backends, console, interrupt))
                        : CommandLine.defaultFactory().create(type);
            }
        };
        CommandLine command = new CommandLine(new CounterCommand());
        for (Method method : SingleCall.commands()) {
            CommandLine single = new CommandLine(method, contexts);
            boolean isAdd = single.getCommandName().equals("add"); // whose -5 is no option
            single.getCommandSpec().parser().unmatchedOptionsArePositionalParams(isAdd);
            command.addSubcommand(single);
        }
        command.addSubcommand(new IngestCommand(new CommandContext(backends, console, interrupt)))
                .addSubcommand(new SoakCommand(new CommandContext(backends, console, interrupt)));
        command.getSubcommands().values().forEach(sub -> backends.addTo(sub.getCommandSpec()));
        MigrateCommand migrate = new MigrateCommand(backends, console, interrupt);
        command.addSubcommand(migrate).addSubcommand(new HelpCommand());
        migrate.addBackendOptions();
        return command;
    }
}
