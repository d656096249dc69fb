package io.counterkit.cli.single;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Tail;
import io.counterkit.cli.backend.Describer;
import io.counterkit.cli.backend.Description;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Json;
import io.counterkit.spi.Limits;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code counter describe}. */
@Command(
        name = "describe",
        header = "Tells all there is to know of the counter and of the sequence of a name.",
        description = {
            "",
            "A backend may add what only it knows, such as the shards of a counter. What cannot be read is told, and"
                    + " the rest is shown."
        })
public final class DescribeCommand implements Callable<Integer> {
    @Mixin
    private final SingleCall call;

    @Parameters(paramLabel = "NAME", description = "The name.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    /** The command. */
    public DescribeCommand(SingleCall call) {
        this.call = call;
    }

    @Override
    public Integer call() {
        return call.readOnBackend(() -> {
            Limits.checkName("name", name);
            return this::describe;
        });
    }

    private void describe(Counters counters, OpenBackend open, Reply reply) {
        Json counter = Json.object();
        Json sequence = Json.object();
        reply.json().with("name", name).with("counter", counter).with("sequence", sequence);
        reply.line("counter '" + name + "'");
        attempt(reply, counter, "error", () -> total(counters, reply, counter));
        Describer describer = open.describer();
        if (describer != null) {
            attempt(reply, counter, "backendError", () -> {
                Description description = describer.describe(name);
                description.lines().forEach(line -> reply.line("  " + line));
                counter.with("backend", description.json());
            });
        }
        reply.line("sequence '" + name + "'");
        attempt(reply, sequence, "error", () -> tail(counters, reply, sequence));
    }

    private void total(Counters counters, Reply reply, Json json) {
        long total = counters.counter(name).get();
        reply.line("  total        " + total);
        json.with("total", total);
    }

    private void tail(Counters counters, Reply reply, Json json) {
        Tail tail = counters.sequence(name).tail();
        reply.line("  last number  " + tail.last());
        reply.line("  live count   " + tail.liveCount());
        json.with("last", tail.last()).with("liveCount", tail.liveCount());
        json.with("forward", tail.seal() == null ? null : tail.seal().forward());
        if (tail.seal() != null) {
            reply.line("  sealed       it lives on at '" + tail.seal().forward() + "'");
        }
    }

    private static void attempt(Reply reply, Json json, String member, Runnable part) {
        try {
            part.run();
        } catch (CounterException e) {
            reply.line("  cannot be read: " + e.getMessage());
            reply.note(String.valueOf(e.getMessage()));
            reply.exitWith(SingleCall.FAILED);
            json.with(member, e.getMessage());
        }
    }
}
