package io.counterkit.examples.likes;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.examples.likes.wall.Breakage;
import io.counterkit.examples.likes.wall.Commits;
import io.counterkit.examples.likes.wall.Likes;
import io.counterkit.examples.likes.wall.Live;
import io.counterkit.examples.likes.wall.Orders;
import io.counterkit.examples.likes.wall.Post;
import io.counterkit.examples.likes.wall.Settler;
import java.time.Duration;

/** Binds the application, which uses {@link Counters} and does not know the backend. */
final class LikesModule extends AbstractModule {
    /** Short, since a person waits. */
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private static final Duration FIRST_RETRY = Duration.ofMillis(250);
    private static final Duration CADENCE = Duration.ofMillis(500);

    private final Commits commits = new Commits();
    private final Breakage breakage = new Breakage();

    @Override
    protected void configure() {
        bind(Commits.class).toInstance(commits);
        bind(Breakage.class).toInstance(breakage);
        OptionalBinder.newOptionalBinder(binder(), CountersOptions.class)
                .setBinding()
                .toInstance(CountersOptions.builder()
                        .deadline(DEADLINE)
                        .drainTimeout(DEADLINE)
                        .listener(commits)
                        .build());
    }

    @Provides
    @Singleton
    Settler settler() {
        return new Settler(FIRST_RETRY);
    }

    @Provides
    @Singleton
    Likes likes(Counters counters, Settler settler) {
        return new Likes(counters, settler, breakage, Post.wall());
    }

    @Provides
    @Singleton
    Orders orders(Counters counters, Settler settler) {
        return new Orders(counters, settler);
    }

    @Provides
    @Singleton
    Live live(Counters counters, Orders orders) {
        return new Live(counters, orders, commits, breakage, Post.wall(), CADENCE);
    }
}
