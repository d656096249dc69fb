package io.counterkit.examples.likes.wall;

import io.counterkit.Tail;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state that is shown at one moment.
 *
 * @param version increases with each snapshot
 * @param totals the totals by the id of the post, without those that were never read
 * @param orders the end of the order book; null if it was never read
 * @param commits the commits of this process
 * @param breakage the counts of likes and of dropped replies since this program started
 * @param troubleSince since when the store cannot be read; null if it can
 */
public record Snapshot(
        long version,
        Map<String, Total> totals,
        @Nullable Tail orders,
        Commits.Figures commits,
        Breakage.Figures breakage,
        @Nullable Instant troubleSince) {
    public Snapshot {
        totals = Map.copyOf(totals);
    }

    /**
     * A post's place in the top list.
     *
     * @param post the post
     * @param total its total, at least 1
     * @param place its place: 1 plus the number of posts with more likes
     * @param isTied whether another post has the same place
     */
    public record Rank(Post post, long total, long place, boolean isTied) {}

    /** Returns the posts that have likes, the one with the most first, equal ones by author. */
    public List<Rank> ranking() {
        List<Long> values = posts(true).map(this::value).toList();
        return posts(true)
                .map(post -> {
                    long value = value(post);
                    long before = values.stream().filter(other -> other > value).count();
                    long equal = values.stream().filter(other -> other == value).count();
                    return new Rank(post, value, before + 1, equal > 1);
                })
                .toList();
    }

    /** Returns the posts that are known to have no likes, by author. */
    public List<Post> unliked() {
        return posts(false).toList();
    }

    private Stream<Post> posts(boolean isLiked) {
        return Post.wall().stream()
                .filter(post -> totals.containsKey(post.id()))
                .filter(post -> value(post) > 0 == isLiked)
                .sorted(Comparator.comparingLong(this::value).reversed().thenComparing(Post::author));
    }

    private long value(Post post) {
        return Objects.requireNonNull(totals.get(post.id())).reading().value();
    }
}
