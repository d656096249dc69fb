package io.counterkit.examples.likes.wall;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.Watch;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The newest known totals of the posts: watched while somebody looks, and read for a page that is asked for. Thread-safe.
 */
final class Totals {
    private final Counters counters;
    private final List<Post> posts;
    private final Map<String, Watch> watches = new HashMap<>();
    private final Map<String, Total> known = new HashMap<>();

    Totals(Counters counters, List<Post> posts) {
        this.counters = counters;
        this.posts = List.copyOf(posts);
    }

    /** From now on {@code onChange} is told of each change, and {@code onFailure} when a total cannot be read. */
    synchronized void watch(Duration cadence, Runnable onChange, Consumer<CounterException> onFailure) {
        for (Post post : posts) {
            Watch watch = counters.counter(post.counter()).watch(cadence, reading -> onChange.run(), onFailure);
            watches.put(post.id(), watch);
        }
    }

    /** Ends the watches; what they have seen stays known. */
    synchronized void unwatch() {
        keepWhatIsWatched();
        watches.values().forEach(Watch::close);
        watches.clear();
    }

    /**
     * Reads all now, and sees every like that was acknowledged before.
     *
     * @throws CounterException if one could not be read; the others are known then
     */
    void read() {
        Readings readings = counters.readAll(posts.stream().map(Post::counter).toList(), Duration.ZERO);
        synchronized (this) {
            posts.stream()
                    .filter(post -> readings.values().containsKey(post.counter()))
                    .forEach(post -> keep(post.id(), readings.get(post.counter())));
        }
        if (!readings.failures().isEmpty()) {
            throw readings.failures().values().iterator().next();
        }
    }

    /** What is known, by the id of the post, and how old it may be by now. */
    synchronized Map<String, Total> known() {
        keepWhatIsWatched();
        return Map.copyOf(known);
    }

    /** Also what has not changed, and was looked at again. */
    private void keepWhatIsWatched() {
        watches.forEach((id, watch) -> {
            Reading latest = watch.latest();
            if (latest != null) {
                keep(id, latest);
            }
        });
    }

    private void keep(String id, Reading reading) {
        known.merge(id, new Total(reading, System.nanoTime()), Total::newer);
    }
}
