package io.counterkit.examples.likes.wall;

import io.counterkit.Tail;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known at a moment.
 *
 * @param version rises with each
 * @param totals the totals by the id of the post; one that was never read is missing
 * @param orders the end of the order book; null if it was never read
 * @param commits what was sent to the store
 * @param troubleSince since when the store cannot be read; null if it can
 * @param trouble what it says; empty if it can
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

    /** The ids of the posts, the one with the most likes first. */
    public List<String> top() {
        return totals.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, Total> total) ->
                                total.getValue().reading().value())
                        .reversed()
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList();
    }
}
