package io.counterkit.cli.single;

import io.counterkit.cli.backend.Resharder;
import io.counterkit.cli.console.Figures;
import io.counterkit.spi.Limits;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code counter reshard}. */
@Command(
        name = "reshard",
        header = "Spreads a counter over another number of shards, while it is in use.",
        description = {
            "",
            "Every add counts, also those of writers that do not know of it yet. Harmless to repeat: should it fail"
                    + " midway, do it again. 'counter describe NAME' recommends a number."
        })
public final class ReshardCommand implements Callable<Integer> {
    @Mixin
    private final SingleCall call;

    @Parameters(index = "0", paramLabel = "NAME", description = "The counter.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Parameters(index = "1", paramLabel = "N", description = "How many shards it gets.")
    private int shards;

    /** The command. */
    public ReshardCommand(SingleCall call) {
        this.call = call;
    }

    @Override
    public Integer call() {
        return call.changeOnBackend(() -> {
            Limits.checkName("counter name", name);
            return (counters, open, reply) -> {
                Resharder resharder = open.resharder();
                if (resharder == null) {
                    throw new UnsupportedOperationException("backend '" + open.name() + "' has no shards");
                }
                resharder.reshard(name, shards);
                reply.result("'" + name + "' has " + Figures.count(shards, "shard", "shards"));
                reply.json().with("outcome", "applied").with("counter", name).with("shards", shards);
            };
        });
    }
}
