package io.counterkit.jdbc.internal.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Tests the thread that listens, without a server. */
class NotificationListenerTest {
    /** The JVM has no memory for another thread for a while. */
    @Test
    void threadThatCannotBeCreated_isCreatedForTheNextSubscription() {
        AtomicInteger connections = new AtomicInteger();
        DataSource down = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (source, connecting, none) -> {
                    connections.incrementAndGet();
                    throw new SQLException("the server is down");
                });
        AtomicInteger asked = new AtomicInteger();
        ThreadFactory threads = task -> {
            if (asked.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new Thread(task);
        };
        try (NotificationListener listener = new NotificationListener(down, threads)) {
            assertThat(listener.listen("channel", "likes", () -> {}).isLive()).isFalse();
            assertThat(connections).hasValue(0);
            assertThat(listener.listen("channel", "views", () -> {}).isLive()).isFalse();
            await().atMost(Duration.ofMinutes(1)).until(() -> connections.get() > 0);
        }
    }

    /** An interrupted thread would try again without a pause, and one that an error has ended would never try again. */
    @Test
    void interruptsAndErrors_doNotChangeTheRetries() {
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        DataSource down = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (source, connecting, none) -> {
                    interrupted.add(Thread.currentThread().isInterrupted());
                    Thread.currentThread().interrupt();
                    if (interrupted.size() == 1) {
                        throw new SQLException("the server is down");
                    }
                    throw new NoClassDefFoundError("a jar that was replaced");
                });
        try (NotificationListener listener = new NotificationListener(down)) {
            assertThat(listener.listen("channel", "likes", () -> {}).isLive()).isFalse();
            await().atMost(Duration.ofMinutes(1)).until(() -> interrupted.size() >= 3);
        }
        assertThat(interrupted).containsOnly(false);
    }
}
