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

/** The newest known totals of the posts, from watches and from reads. Thread-safe. */
final class Totals {
    private final Counters counters;
    private final List<Post> posts;
    private final Map<String, Watch> watches = new HashMap<>();
    private final Map<String, Total> known = new HashMap<>();

    Totals(Counters counters, List<Post> posts) {
        this.counters = counters;
        this.posts = List.copyOf(posts);
    }

    /** Watches all totals: runs {@code onChange} at each change, and {@code onFailure} if one cannot be read. */
    synchronized void watch(Duration cadence, Runnable onChange, Consumer<CounterException> onFailure) {
        for (Post post : posts) {
            Watch watch = counters.counter(post.counter()).watch(cadence, reading -> onChange.run(), onFailure);
            watches.put(post.id(), watch);
        }
    }

    /** Ends the watches; their newest totals stay known. */
    synchronized void unwatch() {
        keepWatched();
        watches.values().forEach(Watch::close);
        watches.clear();
    }

    /**
     * Reads all totals, with every like that was acknowledged before.
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

    /** Returns the known totals by the id of the post. */
    synchronized Map<String, Total> known() {
        keepWatched();
        return Map.copyOf(known);
    }

    /** A watch does not report an unchanged total that it has read again. */
    private void keepWatched() {
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
