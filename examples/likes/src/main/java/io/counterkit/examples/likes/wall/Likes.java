package io.counterkit.examples.likes.wall;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The likes of the posts: one counter for each post. Thread-safe. */
public final class Likes implements AutoCloseable {
    private static final int CROWD_THREADS = 32;

    private final Counters counters;
    private final Settler settler;
    private final Breakage breakage;
    private final Map<String, Post> posts;
    private final ExecutorService crowd = Executors.newFixedThreadPool(CROWD_THREADS, task -> {
        Thread thread = new Thread(task, "crowd");
        thread.setDaemon(true);
        return thread;
    });

    /** Creates the likes of these posts. */
    public Likes(Counters counters, Settler settler, Breakage breakage, List<Post> posts) {
        this.counters = counters;
        this.settler = settler;
        this.breakage = breakage;
        this.posts = posts.stream().collect(Collectors.toUnmodifiableMap(Post::id, Function.identity()));
    }

    /** Returns the post with this id, or null. */
    public @Nullable Post post(String id) {
        return posts.get(id);
    }

    /** Likes a post, once for each click however often the click is sent. */
    public Answer like(Post post, String click) {
        IdempotencyToken token = token(post, click);
        Counter likes = counters.counter(post.counter());
        breakage.begin();
        return settler.apply(token, () -> {
            likes.add(1, token);
            breakage.confirm(token);
            return 0L;
        });
    }

    /** Returns the answer to a click whose outcome was unknown, or null. */
    public @Nullable Answer answer(Post post, String click) {
        return settler.answer(token(post, click));
    }

    /** The same click on two posts is two likes. */
    private static IdempotencyToken token(Post post, String click) {
        return IdempotencyToken.of("like/" + post.id() + "/" + click);
    }

    /** Lets many people like a post at the same time; returns at once. */
    public Answer crowd(Post post, String click, int people) {
        for (int i = 0; i < people; i++) {
            String personsClick = click + "-" + i;
            crowd.execute(() -> {
                Answer unused = like(post, personsClick);
            });
        }
        return Answer.applied(0);
    }

    @Override
    public void close() {
        crowd.shutdownNow();
    }
}
