package io.counterkit.cli;

import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Suggestion;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code counter} command, with {@code help} and {@code completion}. Prints its help if no command is given. */
@Command(
        name = "counter",
        mixinStandardHelpOptions = true,
        addMethodSubcommands = false,
        synopsisSubcommandLabel = "COMMAND")
public final class CounterCommand implements Callable<Integer> {
    private final Backends backends;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    CounterCommand(Backends backends) {
        this.backends = backends;
    }

    /** Returns the version in the manifest of the jar. */
    static String version() {
        String version = CounterCommand.class.getPackage().getImplementationVersion();
        return "counter " + (version == null ? "(not from a jar)" : version) + ", Java " + Runtime.version();
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    @Command(name = "help")
    public void help(@Parameters(arity = "0..1", paramLabel = "TOPIC") @Nullable String topic) {
        CommandLine counter = spec.commandLine();
        if (topic == null) {
            counter.usage(counter.getOut());
        } else if (backends.has(topic)) {
            new CommandLine(backends.helpOn(topic))
                    .setHelpFactory(counter.getHelpFactory())
                    .usage(counter.getOut());
        } else if (counter.getSubcommands().containsKey(topic)) {
            counter.getSubcommands().get(topic).usage(counter.getOut());
        } else {
            List<String> topics = new ArrayList<>(counter.getSubcommands().keySet());
            backends.forEach(topics::add);
            throw new ParameterException(counter, "unknown command '" + topic + "'" + Suggestion.of(topic, topics));
        }
    }

    /** The shells, named as the user types them. */
    public enum Shell {
        bash,
        zsh,
        fish
    }

    @Command(name = "completion")
    public void completion(@Parameters(paramLabel = "SHELL") Shell shell) {
        CommandLine counter = spec.commandLine();
        counter.getSubcommands().values().forEach(command -> showOptionsOfBackends(command.getCommandSpec()));
        PrintWriter out = counter.getOut();
        out.print(shell == Shell.fish ? FishCompletion.script(counter) : AutoComplete.bash("counter", counter));
        out.flush();
    }

    /** Makes the options of the backends visible, since the shell completes them although help omits them. */
    private static void showOptionsOfBackends(CommandSpec command) {
        for (OptionSpec option : List.copyOf(command.options())) {
            if (option.hidden()) {
                command.remove(option);
                command.addOption(OptionSpec.builder(option).hidden(false).build());
            }
        }
    }
}
