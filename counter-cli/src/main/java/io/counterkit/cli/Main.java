package io.counterkit.cli;

import io.counterkit.CounterException;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.ProcessArguments;
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
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code counter} command. */
public final class Main {
    private Main() {}

    /** Runs the command in this process and ends it. */
    public static void main(String[] args) {
        Interrupt interrupt = new Interrupt();
        CountDownLatch finished = new CountDownLatch(1);
        AtomicInteger exitCode = new AtomicInteger(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (finished.getCount() > 0) {
                finish(interrupt, finished);
                // The input can have ended by the same Ctrl-C, so that the command saw nothing of it.
                Runtime.getRuntime().halt(exitCode.get() == 0 ? Interrupt.EXIT_CODE : exitCode.get());
            }
        }));
        try {
            exitCode.set(runAsTyped(Console.ofProcess(), interrupt, args));
        } finally {
            finished.countDown();
        }
        System.exit(exitCode.get());
    }

    /** Called when the process is told to end, by Ctrl-C or otherwise, before the command has ended by itself. */
    private static void finish(Interrupt interrupt, CountDownLatch finished) {
        interrupt.request();
        try {
            finished.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int runAsTyped(Console console, Interrupt interrupt, String... args) {
        String[] typed;
        try {
            typed = ProcessArguments.asTyped(args);
        } catch (IllegalArgumentException e) {
            console.err().println("counter: " + e.getMessage() + " (see counter --help)");
            return CommandLine.ExitCode.USAGE;
        }
        return run(Backends.onClassPath(), console, interrupt, typed);
    }

    /** Runs the command and returns its exit code. */
    static int run(Backends backends, Console console, Interrupt interrupt, String... args) {
        Supplier<SingleCall> call = () -> new SingleCall(backends, console);
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
                .setExpandAtFiles(false) // @name is a name, also where there is such a file
                .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, unparsed) -> complain(e, console))
                .setExecutionExceptionHandler((e, where, parsed) -> {
                    if (!(e instanceof CounterException)) {
                        throw e;
                    }
                    console.err().println("counter: " + e.getMessage());
                    return 1;
                });
        command.getSubcommands().values().forEach(sub -> {
            if (sub.getCommand() instanceof MigrateCommand migrate) {
                migrate.addOptions();
            } else {
                backends.addTo(sub.getCommandSpec());
            }
        });
        int exitCode = command.execute(args);
        console.out().flush();
        return exitCode;
    }

    /** One line: what is wrong, what may have been meant, and where help is. */
    private static int complain(ParameterException e, Console console) {
        List<String> meant = e instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        String problem = e instanceof UnmatchedArgumentException unmatched ? unknown(unmatched) : e.getMessage();
        console.err()
                .println("counter: " + problem + (meant.isEmpty() ? "" : "; did you mean " + meant.get(0) + "?")
                        + " (see " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help)");
        return CommandLine.ExitCode.USAGE;
    }

    private static String unknown(UnmatchedArgumentException e) {
        String first = e.getUnmatched().get(0);
        boolean hasCommands = !e.getCommandLine().getSubcommands().isEmpty();
        return "unknown " + (first.startsWith("-") ? "option" : hasCommands ? "command" : "argument") + " '" + first
                + "'";
    }
}
