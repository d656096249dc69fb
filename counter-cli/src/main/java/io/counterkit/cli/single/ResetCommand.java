package io.counterkit.cli.single;

import io.counterkit.spi.Limits;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code counter reset}. */
@Command(
        name = "reset",
        header = "Sets the total of a counter to 0, in one step between any two adds.",
        description = {"", "An absent counter stays absent. This is also the way out of an overflow."})
public final class ResetCommand implements Callable<Integer> {
    @Mixin
    private final SingleCall call;

    @Parameters(paramLabel = "NAME", description = "The counter.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    /** The command. */
    public ResetCommand(SingleCall call) {
        this.call = call;
    }

    @Override
    public Integer call() {
        return call.change(() -> {
            Limits.checkName("counter name", name);
            return (counters, reply) -> {
                counters.counter(name).reset();
                reply.result("reset '" + name + "'");
                reply.json().with("outcome", "applied").with("counter", name);
            };
        });
    }
}
