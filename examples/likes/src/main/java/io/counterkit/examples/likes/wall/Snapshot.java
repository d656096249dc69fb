package io.counterkit.examples.likes.wall;

import io.counterkit.Tail;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state that is shown at one moment.
 *
 * @param version increases with each snapshot
 * @param totals the totals by the id of the post, without those that were never read
 * @param orders the end of the order book; null if it was never read
 * @param commits the commits of this process
 * @param troubleSince since when the store cannot be read; null if it can
 * @param trouble the reason; empty if the store can be read
 */
public record Snapshot(
        long version,
        Map<String, Total> totals,
        @Nullable Tail orders,
        Commits.Figures commits,
        @Nullable Instant troubleSince,
        String trouble) {
    public Snapshot {
        totals = Map.copyOf(totals);
    }

    /** Returns the ids of the posts, the one with the most likes first. */
    public List<String> top() {
        return totals.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, Total> total) ->
                                -total.getValue().reading().value())
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList();
    }
}
