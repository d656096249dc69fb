package io.counterkit.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code counter help}. */
@Command(name = "help", mixinStandardHelpOptions = true, header = "Describes a command.")
final class HelpCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "The command. Default: lists all commands.")
    private @Nullable String name;

    @Override
    public void run() {
        CommandLine counter = spec.parent().commandLine();
        CommandLine asked = name == null ? counter : counter.getSubcommands().get(name);
        if (asked == null) {
            throw new UnmatchedArgumentException(counter, List.of(String.valueOf(name)));
        }
        asked.usage(counter.getOut());
    }
}
