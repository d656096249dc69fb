package io.counterkit.cli.single;

import io.counterkit.spi.Limits;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code counter delete}. */
@Command(
        name = "delete",
        header = "Makes a counter absent, in one step between any two adds.",
        description = {
            "",
            "A later add starts again from 0; one with a token that was applied before still counts as applied."
                    + " Sequences cannot be deleted, only sealed."
        })
public final class DeleteCommand implements Callable<Integer> {
    @Mixin
    private final SingleCall call;

    @Parameters(paramLabel = "NAME", description = "The counter.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    /** The command. */
    public DeleteCommand(SingleCall call) {
        this.call = call;
    }

    @Override
    public Integer call() {
        return call.change(() -> {
            Limits.checkName("counter name", name);
            return (counters, reply) -> {
                counters.counter(name).delete();
                reply.result("deleted '" + name + "'");
                reply.json().with("outcome", "applied").with("counter", name);
            };
        });
    }
}
