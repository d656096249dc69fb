package io.counterkit.jdbc.internal.sql;

import io.counterkit.spi.Backoff;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Listening;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Receives the notifications of all processes on one channel of PostgreSQL. Uses a connection and a thread while there
 * are listeners. If the connection fails, it is opened again after a pause that grows with each failure. Thread-safe.
 */
public final class Notifications implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Notifications.class.getName());
    private static final Backoff BACKOFF = Backoff.between(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final DataSource source;
    private final String channel;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean isLive;
    private @Nullable Thread thread;
    private boolean isImpossible;
    private boolean closed;

    Notifications(DataSource source, String channel) {
        this.source = source;
        this.channel = channel;
    }

    /**
     * Calls {@code changed} for each notification with this name, and whenever notifications start or stop to arrive.
     */
    public synchronized Listening listen(String name, Runnable changed) {
        Listener listener = new Listener(name, changed);
        listeners.add(listener);
        if (thread == null && !closed && !isImpossible) {
            thread = new Thread(this::run, "counter-jdbc-listen");
            thread.setDaemon(true);
            thread.start();
        }
        return listener;
    }

    /** Not a record, since two equal listeners are distinct. */
    private final class Listener implements Listening {
        private final String name;
        private final Runnable changed;

        Listener(String name, Runnable changed) {
            this.name = name;
            this.changed = changed;
        }

        @Override
        public boolean isLive() {
            return isLive;
        }

        @Override
        public void close() {
            listeners.remove(this);
        }
    }

    private void run() {
        int failed = 0;
        while (!isEnded()) {
            try (ListeningConnection connection = ListeningConnection.open(source, channel)) {
                setLive(true);
                failed = 0;
                while (isNeeded()) {
                    connection.await().forEach(this::report);
                }
                connection.release();
            } catch (UnsupportedOperationException e) {
                giveUp(e);
            } catch (SQLException | RuntimeException e) {
                pause(++failed, e);
            } finally {
                setLive(false);
            }
        }
    }

    private synchronized boolean isNeeded() {
        return !closed && !isImpossible && !listeners.isEmpty();
    }

    /** Returns whether the thread is not needed; the next listener then starts another one. */
    private synchronized boolean isEnded() {
        if (isNeeded()) {
            return false;
        }
        thread = null;
        return true;
    }

    private void report(String name) {
        listeners.stream().filter(listener -> listener.name.equals(name)).forEach(listener -> listener.changed.run());
    }

    private void setLive(boolean live) {
        if (isLive != live) {
            isLive = live;
            listeners.forEach(listener -> listener.changed.run()); // some may have been or will be missed
        }
    }

    private synchronized void giveUp(Exception reason) {
        isImpossible = true;
        LOG.log(
                System.Logger.Level.WARNING,
                "followers poll once per cadence, without notifications: the connections of the data source are not of"
                        + " PostgreSQL's own driver",
                reason);
    }

    private void pause(int failed, Exception reason) {
        if (!isNeeded()) {
            return;
        }
        setLive(false);
        long nanos = BACKOFF.nanos(failed);
        LOG.log(
                System.Logger.Level.WARNING,
                "listening for notifications failed; followers poll until then, and listening is retried in "
                        + Durations.inWords(Duration.ofNanos(nanos)),
                reason);
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
