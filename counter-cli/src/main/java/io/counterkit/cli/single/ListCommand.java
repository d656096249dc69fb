package io.counterkit.cli.single;

import io.counterkit.Counters;
import io.counterkit.NamePage;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code counter list}. */
@Command(
        name = "list",
        header = "Prints the names of counters, one a line.",
        description = {"", "The order is the store's own. The list may lag behind on an eventually consistent store."})
public final class ListCommand implements Callable<Integer> {
    @Mixin
    private final SingleCall call;

    @Option(names = "--prefix", paramLabel = "PREFIX", description = "Only names that start with this.")
    private String prefix = "";

    @Option(names = "--sequences", description = "Names of sequences instead.")
    private boolean sequences;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many. Default: all.")
    private long limit = Long.MAX_VALUE;

    /** The command. */
    public ListCommand(SingleCall call) {
        this.call = call;
    }

    @Override
    public Integer call() {
        return call.read(() -> {
            if (limit < 1) {
                throw new IllegalArgumentException("--limit " + limit + ": use 1 or more");
            }
            if (!prefix.isEmpty()) {
                Limits.checkName("prefix", prefix);
            }
            return this::list;
        });
    }

    private void list(Counters counters, Reply reply) {
        List<String> listed = new ArrayList<>();
        long left = limit;
        String cursor = null;
        do {
            NamePage page = page(counters, cursor, (int) Math.min(left, Limits.MAX_PAGE));
            page.names().forEach(reply::line);
            if (reply.isJson()) {
                listed.addAll(page.names());
            }
            left -= page.names().size();
            cursor = page.next();
        } while (cursor != null && left > 0 && !reply.isEnough());
        boolean isMore = cursor != null && !page(counters, cursor, 1).names().isEmpty();
        if (isMore && !reply.isJson()) {
            reply.note("there are more: raise --limit " + limit + " to see them");
        }
        reply.json().with("names", listed).with("more", isMore);
    }

    private NamePage page(Counters counters, @Nullable String cursor, int size) {
        return sequences ? counters.sequenceNames(prefix, cursor, size) : counters.counterNames(prefix, cursor, size);
    }
}
