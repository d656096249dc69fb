package io.counterkit.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counter completion}. */
@Command(name = "completion", mixinStandardHelpOptions = true)
final class CompletionCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", completionCandidates = Shells.class)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String shell;

    /** The shells that can complete. */
    static final class Shells extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Shells() {
            super(List.of("bash", "zsh", "fish"));
        }
    }

    @Override
    public void run() {
        if (!new Shells().contains(shell)) {
            throw new ParameterException(
                    spec.commandLine(), "there is no completion for '" + shell + "': choose bash, zsh or fish");
        }
        CommandLine counter = spec.parent().commandLine();
        counter.getSubcommands().values().forEach(command -> showOptionsOfBackends(command.getCommandSpec()));
        PrintWriter out = counter.getOut();
        out.print(shell.equals("fish") ? FishCompletion.script(counter) : AutoComplete.bash("counter", counter));
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
