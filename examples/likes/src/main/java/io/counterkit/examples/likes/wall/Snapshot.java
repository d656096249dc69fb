package io.counterkit.examples.likes.wall;

import io.counterkit.Tail;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known at a moment.
 *
 * @param version rises with each
 * @param totals the totals by the id of the post; one that was never read is missing
 * @param top the ids of the posts with the most likes, the first one first
 * @param orders the end of the order book; null if it was never read
 * @param commits what was sent to the store
 * @param troubleSince since when the store cannot be read; null if it can
 * @param trouble what it says; empty if it can
 */
public record Snapshot(
        long version,
        Map<String, Total> totals,
        List<String> top,
        @Nullable Tail orders,
        Commits.Figures commits,
        @Nullable Instant troubleSince,
        String trouble) {
    static final Snapshot NOTHING = new Snapshot(0, Map.of(), List.of(), null, new Commits.Figures(0, 0, 0), null, "");

    public Snapshot {
        totals = Map.copyOf(totals);
        top = List.copyOf(top);
    }
}
