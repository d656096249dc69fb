package io.counterkit.cli.single;

import io.counterkit.spi.Limits;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code counter next}. */
@Command(
        name = "next",
        header = "Prints the next number of a sequence: 1, 2, 3 and so on, never a gap, never one twice.",
        description = {"", "The number is an entry without fields; append gives it some."})
public final class NextCommand implements Callable<Integer> {
    @Mixin
    private final SingleCall call;

    @Parameters(paramLabel = "SEQUENCE", description = "The sequence.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    /** The command. */
    public NextCommand(SingleCall call) {
        this.call = call;
    }

    @Override
    public Integer call() {
        return call.change(() -> {
            Limits.checkName("sequence name", name);
            return (counters, reply) -> {
                long number = counters.sequence(name).next();
                reply.result(String.valueOf(number));
                reply.json().with("outcome", "applied").with("sequence", name).with("number", number);
            };
        });
    }
}
