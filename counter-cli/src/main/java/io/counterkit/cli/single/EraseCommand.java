package io.counterkit.cli.single;

import io.counterkit.spi.Limits;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code counter erase}. */
@Command(
        name = "erase",
        header = "Blanks the fields of an entry for good, as personal data may call for.",
        description = {"", "The number, the change, the subject and the live count stay."})
public final class EraseCommand implements Callable<Integer> {
    @Mixin
    private final SingleCall call;

    @Parameters(index = "0", paramLabel = "SEQUENCE", description = "The sequence.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Parameters(index = "1", paramLabel = "NUMBER", description = "The number of the entry.")
    private long number;

    /** The command. */
    public EraseCommand(SingleCall call) {
        this.call = call;
    }

    @Override
    public Integer call() {
        return call.change(() -> {
            Limits.checkName("sequence name", name);
            if (number < 1) {
                throw new IllegalArgumentException("number " + number + ": numbers start at 1");
            }
            return (counters, reply) -> {
                counters.sequence(name).erase(number);
                reply.result("erased the fields of entry " + number + " of '" + name + "'");
                reply.json().with("outcome", "applied").with("sequence", name).with("number", number);
            };
        });
    }
}
