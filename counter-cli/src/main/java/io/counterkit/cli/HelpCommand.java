package io.counterkit.cli;

import io.counterkit.cli.backend.Backends;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code counter help}. */
@Command(name = "help")
final class HelpCommand implements Runnable {
    private final Backends backends;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "TOPIC")
    private @Nullable String topic;

    HelpCommand(Backends backends) {
        this.backends = backends;
    }

    @Override
    public void run() {
        CommandLine counter = spec.parent().commandLine();
        if (topic != null && backends.has(topic)) {
            new CommandLine(backends.helpOn(topic))
                    .setHelpFactory(counter.getHelpFactory())
                    .usage(counter.getOut());
            return;
        }
        CommandLine asked = topic == null ? counter : counter.getSubcommands().get(topic);
        if (asked == null) {
            throw new UnmatchedArgumentException(counter, List.of(String.valueOf(topic)));
        }
        asked.usage(counter.getOut());
    }
}
