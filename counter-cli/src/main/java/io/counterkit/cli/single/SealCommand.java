package io.counterkit.cli.single;

import io.counterkit.Seal;
import io.counterkit.spi.Limits;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code counter seal}. */
@Command(
        name = "seal",
        header = "Ends a counter or a sequence for good, and says where it lives on.",
        description = {
            "",
            "It can still be read, and every later change is refused with the address. This cannot be undone."
        })
public final class SealCommand implements Callable<Integer> {
    @Mixin
    private final SingleCall call;

    @Parameters(paramLabel = "NAME", description = "The counter, or the sequence.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Option(
            names = "--forward",
            required = true,
            paramLabel = "ADDRESS",
            description = "Where it lives on, in whatever form your application understands.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String forward;

    @Option(names = "--sequence", description = "NAME is that of a sequence.")
    private boolean sequence;

    /** The command. */
    public SealCommand(SingleCall call) {
        this.call = call;
    }

    @Override
    public Integer call() {
        return call.change(() -> {
            Limits.checkName(sequence ? "sequence name" : "counter name", name);
            Limits.checkText("--forward", forward, Limits.MAX_TOKEN_BYTES);
            return (counters, reply) -> {
                Seal seal = sequence
                        ? counters.sequence(name).seal(forward)
                        : counters.counter(name).seal(forward);
                reply.result("sealed '" + name + "' at " + seal.last() + ": it lives on at '" + seal.forward() + "'");
                reply.json()
                        .with("outcome", "applied")
                        .with(sequence ? "sequence" : "counter", name)
                        .with("forward", seal.forward())
                        .with(sequence ? "last" : "total", seal.last());
                if (sequence) {
                    reply.json().with("liveCount", seal.liveCount());
                }
            };
        });
    }
}
