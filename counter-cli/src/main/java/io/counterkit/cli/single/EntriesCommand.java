package io.counterkit.cli.single;

import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.cli.console.Json;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code counter entries}. */
@Command(
        name = "entries",
        header = "Prints the entries of a sequence, one a line, ascending.",
        description = {
            "",
            "A line holds the number, the time in UTC, the change and its subject where there is one, and the fields as"
                    + " append takes them. What is appended meanwhile is left out."
        })
public final class EntriesCommand implements Callable<Integer> {
    @Mixin
    private final SingleCall call;

    @Parameters(paramLabel = "SEQUENCE", description = "The sequence.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Option(names = "--from", paramLabel = "N", description = "The first number. Default: 1.")
    private @Nullable Long from;

    @Option(names = "--to", paramLabel = "N", description = "The last number. Default: the last there is.")
    private @Nullable Long to;

    @Option(names = "--last", paramLabel = "N", description = "The last N entries, instead of --from and --to.")
    private @Nullable Long last;

    /** The command. */
    public EntriesCommand(SingleCall call) {
        this.call = call;
    }

    @Override
    public Integer call() {
        return call.read(() -> {
            Limits.checkName("sequence name", name);
            checkRange();
            return this::print;
        });
    }

    private void checkRange() {
        if (last != null && (from != null || to != null)) {
            throw new IllegalArgumentException("--last does not go together with --from and --to");
        }
        if (last != null && last < 1) {
            throw new IllegalArgumentException("--last " + last + ": use 1 or more");
        }
        if (from != null && from < 1) {
            throw new IllegalArgumentException("--from " + from + ": numbers start at 1");
        }
        if (to != null && to < (from == null ? 1 : from)) {
            throw new IllegalArgumentException("--to " + to + ": use " + (from == null ? 1 : from) + " or more");
        }
    }

    private void print(Counters counters, Reply reply) {
        Sequence sequence = counters.sequence(name);
        Tail tail = sequence.tail();
        long first = last != null ? Math.max(1, tail.last() - last + 1) : from == null ? 1 : from;
        long end = to == null ? tail.last() : Math.min(to, tail.last());
        int width = String.valueOf(end).length();
        List<Json> entries = new ArrayList<>();
        for (long start = first; start <= end && !reply.isEnough(); start += Limits.MAX_PAGE) {
            for (Entry entry : sequence.read(start, Math.min(end, start + Limits.MAX_PAGE - 1))) {
                if (reply.isJson()) {
                    entries.add(Entries.fill(Json.object(), entry));
                } else {
                    reply.line(Entries.line(entry, width));
                }
            }
        }
        reply.json().with("sequence", name).with("last", tail.last()).with("entries", entries);
    }
}
