package io.counterkit.cli.single;

import io.counterkit.Counters;
import io.counterkit.NamedReading;
import io.counterkit.cli.console.Json;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code counter top}. */
@Command(
        name = "top",
        header = "Prints the largest counters, each with how old its total may be.",
        description = {"", "Largest first, equal ones by name. A store may have to look at every counter for it."})
public final class TopCommand implements Callable<Integer> {
    @Mixin
    private final SingleCall call;

    @Parameters(
            arity = "0..1",
            paramLabel = "PREFIX",
            description = "Only counters whose names start with this. Default: all.")
    private String prefix = "";

    @Option(
            names = {"-n", "--limit"},
            paramLabel = "N",
            description = "At most so many, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
    private int limit = 10;

    /** The command. */
    public TopCommand(SingleCall call) {
        this.call = call;
    }

    @Override
    public Integer call() {
        return call.read(() -> {
            if (limit < 1 || limit > Limits.MAX_PAGE) {
                throw new IllegalArgumentException("--limit " + limit + ": use 1 to " + Limits.MAX_PAGE);
            }
            if (!prefix.isEmpty()) {
                Limits.checkName("prefix", prefix);
            }
            return this::top;
        });
    }

    private void top(Counters counters, Reply reply) {
        List<Json> listed = new ArrayList<>();
        for (NamedReading named : counters.top(prefix, limit)) {
            reply.line(GetCommand.aged(named.name(), named.reading()));
            listed.add(GetCommand.json(named.name(), named.reading()));
        }
        reply.json().with("counters", listed);
    }
}
