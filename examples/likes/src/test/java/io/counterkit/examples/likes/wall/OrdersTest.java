package io.counterkit.examples.likes.wall;

import static io.counterkit.examples.likes.wall.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.Follower;
import io.counterkit.Tail;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The order book on the in-memory backend, with faults. */
class OrdersTest {
    private final InMemoryStore store = InMemoryStore.create();
    private final Counters counters = Counters.over(InMemoryBackend.over(store));
    private final Settler settler = new Settler(Duration.ofMillis(1));
    private final Orders orders = new Orders(counters, settler);

    @AfterEach
    void close() {
        settler.close();
        counters.close();
    }

    private static String click() {
        return UUID.randomUUID().toString();
    }

    @Test
    void ordersAreNumberedWithoutAGap() {
        for (long number = 1; number <= 25; number++) {
            assertThat(orders.place("Cocoa", number, click()).number()).isEqualTo(number);
        }
        assertThat(orders.lines(11, 20))
                .extracting(Order::number)
                .isEqualTo(LongStream.rangeClosed(11, 20).boxed().toList());
        assertThat(orders.lines(3, 3)).singleElement().satisfies(order -> {
            assertThat(order.item()).isEqualTo("Cocoa");
            assertThat(order.quantity()).isEqualTo(3);
            assertThat(order.isActive()).isTrue();
        });
        assertThat(orders.tail().liveCount()).isEqualTo(25);
    }

    @Test
    void sameClickIsTheSameOrder() {
        String click = click();
        assertThat(orders.place("Cocoa", 1, click).number()).isEqualTo(1);
        assertThat(orders.place("Cocoa", 1, click).number()).isEqualTo(1);
        assertThat(orders.tail().last()).isEqualTo(1);
    }

    @Test
    void cancellationGetsANumberAndEndsTheOrder() {
        orders.place("Cocoa", 1, click());
        orders.place("Oat milk", 2, click());
        assertThat(orders.cancel(1, click()).number()).isEqualTo(3);
        assertThat(orders.tail().last()).isEqualTo(3);
        assertThat(orders.tail().liveCount()).isEqualTo(1);
        assertThat(orders.lines(1, 3)).extracting(Order::cancelledBy).containsExactly(3L, 0L, 0L);
        assertThat(orders.lines(1, 3)).extracting(Order::cancels).containsExactly(0L, 0L, 1L);
    }

    @Test
    void cancellingACancelledOrMissingOrderIsRefused() {
        orders.place("Cocoa", 1, click());
        String click = click();
        assertThat(orders.cancel(1, click).state()).isEqualTo(Answer.State.APPLIED);
        assertThat(orders.cancel(1, click).number()).isEqualTo(2);
        assertThat(orders.cancel(1, click()).state()).isEqualTo(Answer.State.REFUSED);
        assertThat(orders.cancel(2, click()).state()).isEqualTo(Answer.State.REFUSED);
        assertThat(orders.cancel(99, click()).state()).isEqualTo(Answer.State.REFUSED);
        assertThat(orders.tail().last()).isEqualTo(2);
    }

    @Test
    void lostReplyUsesOneNumber() {
        store.faults().inject(Fault.LOSE_REPLY, Calls.next("orders"));
        String click = click();
        assertThat(orders.place("Cocoa", 1, click).state()).isEqualTo(Answer.State.UNKNOWN);
        patiently()
                .untilAsserted(() -> assertThat(orders.answer(click))
                        .isNotNull()
                        .satisfies(answer -> assertThat(answer.state()).isEqualTo(Answer.State.APPLIED)));
        assertThat(orders.place("Cocoa", 1, click).number()).isEqualTo(1);
        assertThat(orders.place("Cocoa", 1, click()).number()).isEqualTo(2);
    }

    @Test
    void refusedOrderUsesNoNumber() {
        store.faults().inject(Fault.FAIL, Calls.next("orders"));
        assertThat(orders.place("Cocoa", 1, click()).state()).isEqualTo(Answer.State.NOT_APPLIED);
        assertThat(orders.place("Cocoa", 1, click()).number()).isEqualTo(1);
    }

    @Test
    void followerSeesEveryLineOnce() {
        List<Tail> ends = new CopyOnWriteArrayList<>();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        orders.place("Cocoa", 1, click());
        try (Follower book = orders.follow(Duration.ofMillis(5), ends::add, failures::add)) {
            orders.place("Oat milk", 2, click());
            assertThat(orders.lines(1, 2)).hasSize(2);
            orders.cancel(1, click());
            patiently().until(() -> book.position() == 3);
        }
        assertThat(ends).containsExactly(new Tail(1, 1, null), new Tail(2, 2, null), new Tail(3, 1, null));
        assertThat(orders.lines(1, 3)).extracting(Order::cancelledBy).containsExactly(3L, 0L, 0L);
        assertThat(failures).isEmpty();
    }
}
