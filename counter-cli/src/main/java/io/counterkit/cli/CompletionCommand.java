package io.counterkit.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counter completion}. */
@Command(name = "completion")
final class CompletionCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Shell shell;

    /** The shells as they are typed. */
    enum Shell {
        bash,
        zsh,
        fish
    }

    @Override
    public void run() {
        CommandLine counter = spec.parent().commandLine();
        counter.getSubcommands().values().forEach(command -> showOptionsOfBackends(command.getCommandSpec()));
        PrintWriter out = counter.getOut();
        out.print(shell == Shell.fish ? FishCompletion.script(counter) : AutoComplete.bash("counter", counter));
        out.flush();
    }

    /** Help leaves them out, completion does not. */
    private static void showOptionsOfBackends(CommandSpec command) {
        for (OptionSpec option : List.copyOf(command.options())) {
            if (option.hidden()) {
                command.remove(option);
                command.addOption(OptionSpec.builder(option).hidden(false).build());
            }
        }
    }
}
