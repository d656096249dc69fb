package io.counterkit.jdbc.internal.notification;

import io.counterkit.spi.Backoff;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Listening;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Receives the notifications of all processes on channels of PostgreSQL. Uses one connection and a thread while there
 * are subscriptions, and listens on their channels only. If the connection fails, it is opened again after a pause that
 * grows with each failure. Thread-safe.
 */
public final class NotificationListener implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(NotificationListener.class.getName());
    private static final Backoff BACKOFF = Backoff.between(Duration.ofSeconds(1), Duration.ofMinutes(1));

    /** The payload that means all names of a channel. */
    public static final String ALL_NAMES = "";

    private final DataSource source;
    private final ThreadFactory threads;
    private final Map<Topic, Set<Subscription>> subscriptions = new ConcurrentHashMap<>();
    private volatile Set<String> live = Set.of();
    private @Nullable Thread thread;
    private boolean isImpossible;

    /** The number of failures in succession. Used by the thread only. */
    private int failed;

    private boolean closed;

    public NotificationListener(DataSource source) {
        this(source, task -> new Thread(task, "counter-jdbc-listen"));
    }

    NotificationListener(DataSource source, ThreadFactory threads) {
        this.source = source;
        this.threads = threads;
    }

    /** The notifications of one name, or the channel and the payload of one notification. */
    record Topic(String channel, String name) {}

    /**
     * Calls {@code changed} for each notification with this name on this channel, and whenever notifications start or
     * stop arriving.
     */
    public synchronized Listening listen(String channel, String name, Runnable changed) {
        Subscription subscription = new Subscription(new Topic(channel, name), changed);
        subscriptions.compute(subscription.topic, (topic, others) -> {
            Set<Subscription> all = others == null ? ConcurrentHashMap.newKeySet() : others;
            all.add(subscription);
            return all;
        });
        if (thread == null && !closed && !isImpossible) {
            tryStart();
        }
        return subscription;
    }

    /** If no thread can be created, followers and watches poll, and the next subscription tries again. */
    private void tryStart() {
        try {
            Thread started = threads.newThread(this::run);
            started.setDaemon(true);
            started.start();
            thread = started;
        } catch (RuntimeException | Error e) { // such as an OutOfMemoryError
            LOG.log(
                    System.Logger.Level.WARNING,
                    "no thread could be created that listens for notifications; followers and watches poll until another"
                            + " one is opened",
                    e);
        }
    }

    /** Not a record, since subscriptions are compared by identity. */
    private final class Subscription implements Listening {
        private final Topic topic;
        private final Runnable changed;

        Subscription(Topic topic, Runnable changed) {
            this.topic = topic;
            this.changed = changed;
        }

        @Override
        public boolean isLive() {
            return live.contains(topic.channel);
        }

        @Override
        public void close() {
            subscriptions.computeIfPresent(topic, (same, all) -> {
                all.remove(this);
                return all.isEmpty() ? null : all;
            });
        }
    }

    private void run() {
        while (!tryEnd()) {
            try {
                listenWhileNeeded();
            } catch (UnsupportedOperationException e) {
                giveUp(e);
            } catch (SQLException | RuntimeException | Error e) { // after any error, or nothing would be received again
                pause(e);
            }
        }
    }

    private void listenWhileNeeded() throws SQLException {
        try (ListeningConnection connection = ListeningConnection.open(source)) {
            while (isNeeded()) {
                setLive(connection.listen(channels()));
                failed = 0;
                connection.await().forEach(this::report);
            }
            connection.release();
        } finally {
            setLive(Set.of());
        }
    }

    private Set<String> channels() {
        return subscriptions.keySet().stream().map(Topic::channel).collect(Collectors.toSet());
    }

    private synchronized boolean isNeeded() {
        return !closed && !isImpossible && !subscriptions.isEmpty();
    }

    /** Ends this thread unless it is needed. The next subscription starts another one. */
    private synchronized boolean tryEnd() {
        if (isNeeded()) {
            return false;
        }
        thread = null;
        failed = 0;
        return true;
    }

    private void report(Topic notification) {
        if (notification.name.equals(ALL_NAMES)) {
            report(topic -> topic.channel.equals(notification.channel));
        } else {
            subscriptions.getOrDefault(notification, Set.of()).forEach(subscription -> subscription.changed.run());
        }
    }

    private void report(Predicate<Topic> matches) {
        subscriptions.forEach((topic, all) -> {
            if (matches.test(topic)) {
                all.forEach(subscription -> subscription.changed.run());
            }
        });
    }

    /**
     * Sets the channels that are listened to, and reports the channels for which that has changed: notifications may
     * have been missed.
     */
    private void setLive(Set<String> channels) {
        Set<String> before = live;
        if (!before.equals(channels)) {
            live = channels;
            report(topic -> before.contains(topic.channel) != channels.contains(topic.channel));
        }
    }

    private synchronized void giveUp(Exception reason) {
        isImpossible = true;
        LOG.log(
                System.Logger.Level.WARNING,
                "followers and watches poll once per cadence, without notifications: the connections of the data source"
                        + " are not of PostgreSQL's own driver",
                reason);
    }

    private void pause(Throwable reason) {
        failed++;
        if (!isNeeded()) {
            return;
        }
        long nanos = BACKOFF.nanos(failed);
        LOG.log(
                System.Logger.Level.WARNING,
                "listening for notifications failed; followers and watches poll until then, and listening is retried in "
                        + Durations.inWords(Duration.ofNanos(nanos)),
                reason);
        boolean unused = Thread.interrupted(); // an interrupted thread would not pause
        LockSupport.parkNanos(this, nanos);
    }

    /** Ends the thread, which returns its connection within about a second. */
    @Override
    public synchronized void close() {
        closed = true;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }
}
