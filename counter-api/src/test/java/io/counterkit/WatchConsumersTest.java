package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Consumers of watches that throw, are slow, or close their watch. */
class WatchConsumersTest extends WatchSetup {
    @Test
    void throwingConsumers_doNotAffectOthers() {
        answerWithTotal();
        AtomicInteger thrown = new AtomicInteger();
        likes.watch(CADENCE, reading -> {
            thrown.incrementAndGet();
            throw new AssertionError("a test's consumer that is wrong");
        });
        watch();
        await().until(() -> thrown.get() == 1 && values.size() == 1);
        total.set(1);
        await().until(() -> thrown.get() == 2 && values.size() == 2);
        assertThat(threads).hasSize(1);
    }

    @Test
    void throwingConsumerOfFailures_doesNotAffectOthers() {
        backend.others().on("read", () -> CompletableFuture.failedFuture(new NotAppliedException("down")));
        likes.watch(CADENCE, reading -> values.add(reading.value()), failure -> {
            failures.add(failure);
            throw new IllegalStateException("a test's consumer that is wrong");
        });
        await().until(() -> failures.size() >= 2);
        answerWithTotal();
        await().untilAsserted(() -> assertThat(values).containsExactly(0L));
    }

    @Test
    void consumer_mayCloseItsOwnWatch() {
        answerWithTotal();
        AtomicReference<Watch> own = new AtomicReference<>();
        CountDownLatch opened = new CountDownLatch(1);
        own.set(likes.watch(CADENCE, reading -> {
            awaitOrFail(opened);
            values.add(reading.value());
            own.get().close();
            total.incrementAndGet();
        }));
        opened.countDown();
        await().until(() -> values.size() == 1);
        awaitEndOf(threads.element());
        assertThat(values).containsExactly(0L);
    }

    @Test
    void exceptionOfAConsumer_isLogged() {
        FedWatch fed = fed();
        Queue<LogRecord> logged = new ConcurrentLinkedQueue<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord event) {
                logged.add(event);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(Watch.class.getName());
        logger.addHandler(handler);
        try {
            Error wrong = new AssertionError("a test's consumer that is wrong");
            likes.watch(CADENCE, reading -> {
                throw wrong;
            });
            fed.sink().failure(new NotAppliedException("an outage without a consumer"));
            fed.sink().reading(reading(4, 0));
            await().untilAsserted(() -> assertThat(logged)
                    .anySatisfy(event -> assertThat(event.getThrown()).isSameAs(wrong))
                    .anySatisfy(event -> assertThat(event.getThrown()).hasMessage("an outage without a consumer"))
                    .allSatisfy(event -> assertThat(event.getMessage()).contains("'likes'")));
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    void slowConsumer_isNotCalledConcurrently() {
        FedWatch fed = fed();
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        Consumer<Reading> slow = reading -> {
            assertThat(inside.incrementAndGet()).isOne();
            awaitOrFail(goOn);
            values.add(reading.value());
            inside.decrementAndGet();
        };
        likes.watch(CADENCE, slow);
        fed.sink().reading(reading(1, 1));
        await().until(() -> inside.get() == 1);
        fed.sink().reading(reading(2, 2));
        fed.sink().reading(reading(3, 3));
        goOn.countDown();
        await().untilAsserted(() -> assertThat(values).containsExactly(1L, 3L));
    }
}
