package io.counterkit.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counters;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.Sequence;
import io.counterkit.spi.Listening;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Followers that the store wakes. */
class ListeningTest {
    private final InMemoryStore store = InMemoryStore.create();
    private final Counters counters = Counters.over(InMemoryBackend.over(store));
    private final Counters others = Counters.over(InMemoryBackend.over(store));
    private final Sequence orders = counters.sequence("orders");

    @AfterEach
    void close() {
        counters.close();
        others.close();
    }

    @Test
    void entryOfAnyProcess_endsALongPause() {
        List<Long> numbers = new CopyOnWriteArrayList<>();
        Follower follower = orders.follow(
                1, FollowOptions.defaults().withCadence(Duration.ofHours(1)), entry -> numbers.add(entry.number()));
        orders.next();
        await().until(() -> follower.position() == 1);
        others.sequence("orders").next();
        await().until(() -> follower.position() == 2);
        assertThat(numbers).containsExactly(1L, 2L);
    }

    @Test
    void closedListening_reportsNothing() {
        AtomicInteger reports = new AtomicInteger();
        AtomicInteger ofAnother = new AtomicInteger();
        InMemoryBackend backend = InMemoryBackend.over(store);
        Listening listening = backend.sequences().listen("orders", reports::incrementAndGet);
        Listening other = backend.sequences().listen("orders", ofAnother::incrementAndGet);
        orders.next();
        assertThat(reports).hasValue(1);
        listening.close();
        listening.close();
        orders.next();
        others.sequence("invoices").next();
        assertThat(reports).hasValue(1);
        assertThat(ofAnother).hasValue(2);
        other.close();
    }
}
