package io.counterkit.cli;

import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Numbers;
import io.counterkit.cli.console.ProcessArguments;
import io.counterkit.cli.console.Termination;
import io.counterkit.cli.ingest.IngestCommand;
import io.counterkit.cli.migrate.MigrateCommand;
import io.counterkit.cli.single.AddCommand;
import io.counterkit.cli.single.AppendCommand;
import io.counterkit.cli.single.DeleteCommand;
import io.counterkit.cli.single.DescribeCommand;
import io.counterkit.cli.single.EntriesCommand;
import io.counterkit.cli.single.EraseCommand;
import io.counterkit.cli.single.GetCommand;
import io.counterkit.cli.single.ListCommand;
import io.counterkit.cli.single.NextCommand;
import io.counterkit.cli.single.ResetCommand;
import io.counterkit.cli.single.ReshardCommand;
import io.counterkit.cli.single.ResolveCommand;
import io.counterkit.cli.single.SealCommand;
import io.counterkit.cli.single.SingleCall;
import io.counterkit.cli.single.TopCommand;
import io.counterkit.cli.single.WatchCommand;
import io.counterkit.cli.soak.SoakCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The {@code counter} command. */
public final class Main {
    private Main() {}

    /** Runs the command in this process and ends it. */
    public static void main(String[] args) {
        runInProcess(Backends.onClassPath(), args);
    }

    /** Runs the command on these backends, and ends the process. */
    static void runInProcess(Backends backends, String... args) {
        Console console = Console.ofProcess();
        Interrupt interrupt = new Interrupt();
        new Termination(console, interrupt, System::nanoTime, Runtime.getRuntime()::halt).install();
        int exitCode = runAsTyped(backends, console, interrupt, args);
        // The input can have ended by the same Ctrl-C, so that the command saw nothing of it.
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
        Supplier<SingleCall> call = () -> new SingleCall(backends, console, interrupt);
        Failures failures = Failures.of(console, args);
        CommandLine command = new CommandLine(new CounterCommand())
                .addSubcommand(new AddCommand(call.get()))
                .addSubcommand(new GetCommand(call.get()))
                .addSubcommand(new WatchCommand(call.get(), interrupt))
                .addSubcommand(new ListCommand(call.get()))
                .addSubcommand(new TopCommand(call.get()))
                .addSubcommand(new ResetCommand(call.get()))
                .addSubcommand(new DeleteCommand(call.get()))
                .addSubcommand(new NextCommand(call.get()))
                .addSubcommand(new AppendCommand(call.get()))
                .addSubcommand(new EntriesCommand(call.get()))
                .addSubcommand(new EraseCommand(call.get()))
                .addSubcommand(new SealCommand(call.get()))
                .addSubcommand(new DescribeCommand(call.get()))
                .addSubcommand(new ReshardCommand(call.get()))
                .addSubcommand(new ResolveCommand(call.get()))
                .addSubcommand(new IngestCommand(backends, console, interrupt))
                .addSubcommand(new SoakCommand(backends, console, interrupt))
                .addSubcommand(new MigrateCommand(backends, console, interrupt))
                .addSubcommand(new HelpCommand())
                .setExpandAtFiles(false) // @name is a name, also where there is such a file
                .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, unparsed) -> failures.misuse(e))
                .setExecutionExceptionHandler((e, where, parsed) -> failures.failed(e));
        Numbers.register(command);
        command.getSubcommands().values().forEach(sub -> {
            if (sub.getCommand() instanceof MigrateCommand migrate) {
                migrate.addOptions();
            } else if (!(sub.getCommand() instanceof HelpCommand)) {
                backends.addTo(sub.getCommandSpec());
            }
        });
        int exitCode = command.execute(args);
        console.out().flush();
        return exitCode;
    }
}
