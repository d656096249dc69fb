package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.migration.fixture.TwoStores;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A follower while its sequence, and its checkpoint, move to another store. */
class FollowerTest {
    private final TwoStores stores = new TwoStores();
    private final String name = stores.prefix + "orders";
    private final Counters old = stores.old();
    private final Counters moving = stores.counters();
    private final Counters following = stores.counters();
    private final Sequence orders = following.sequence(name);
    private final List<Long> numbers = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final FollowOptions options =
            FollowOptions.defaults().withCadence(Duration.ofMillis(1)).withFailures(failures::add);

    @AfterEach
    void close() {
        following.close();
        moving.close();
        old.close();
    }

    private void appendUntilSealed() {
        Sequence source = old.sequence(name);
        try {
            while (true) {
                source.next();
            }
        } catch (SealedException e) {
            assertThat(e.seal().forward()).isEqualTo("new");
        }
    }

    private void awaitDelivered(long last) {
        await().until(() -> numbers.contains(last));
        assertThat(numbers).isEqualTo(LongStream.rangeClosed(1, last).boxed().toList());
        assertThat(failures).isEmpty();
    }

    @Test
    void followerContinuesInTheOtherStore() {
        orders.follow(1, options, entry -> numbers.add(entry.number()));
        Thread writer = new Thread(this::appendUntilSealed);
        writer.start();
        await().until(() -> numbers.size() >= 300);
        for (int i = 0; i < 300; i++) {
            moving.sequence(name).next();
        }
        long last = moving.sequence(name).last();
        assertThat(stores.atTarget().sequence(name).last()).isEqualTo(last);
        awaitDelivered(last);
    }

    @Test
    void checkpointMovesToo() {
        Counter checkpoint = following.counter(name);
        old.sequence(name).next();
        old.counter(name).add(0);
        try (Follower first = orders.follow(checkpoint, options, entry -> numbers.add(entry.number()))) {
            await().until(() -> first.position() == 1);
            moving.sequence(name).next();
            await().until(() -> first.position() == 2);
        }
        assertThat(moving.counter(name).get()).isEqualTo(2);
        moving.sequence(name).next();
        CompletableFuture<Long> next = new CompletableFuture<>();
        orders.follow(checkpoint, options, entry -> {
            numbers.add(entry.number());
            next.complete(entry.number());
        });
        assertThat(next.join()).isEqualTo(3);
        awaitDelivered(3);
    }
}
