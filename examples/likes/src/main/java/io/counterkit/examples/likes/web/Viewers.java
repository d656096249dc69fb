package io.counterkit.examples.likes.web;

import io.counterkit.examples.likes.wall.Live;
import io.counterkit.examples.likes.wall.Snapshot;
import java.io.EOFException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

/** Sends each change to every open page. One thread serves all pages and waits for none. Thread-safe. */
final class Viewers implements AutoCloseable {
    /** Shorter than the time after which the server closes an idle connection. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    /** Asks the page to connect again a second after it lost the connection. */
    private static final String RECONNECT = "retry: 1000\n";

    private final Live live;
    private final Semaphore places;
    private final Set<Viewer> viewers = ConcurrentHashMap.newKeySet();
    private final Thread thread = new Thread(this::sendChanges, "viewers");

    Viewers(Live live, int most) {
        this.live = live;
        this.places = new Semaphore(most);
        thread.setDaemon(true);
        thread.start();
    }

    /** Sends the state and then each change until the page is closed; returns false if too many pages are open. */
    boolean add(Exchange exchange) {
        if (!places.tryAcquire()) {
            return false;
        }
        exchange.begin(200, "text/event-stream; charset=utf-8");
        Viewer viewer = new Viewer(exchange);
        viewers.add(viewer);
        live.addViewer();
        viewer.send(RECONNECT + event(live.latest()));
        return true;
    }

    private static String event(Snapshot snapshot) {
        return "data: " + Json.of(snapshot) + "\n\n";
    }

    private void sendChanges() {
        try {
            long version = -1;
            while (!Thread.currentThread().isInterrupted()) {
                Snapshot latest = live.after(version, HEARTBEAT);
                if (latest.version() > version) {
                    String event = event(latest);
                    viewers.forEach(viewer -> viewer.send(event));
                } else {
                    viewers.forEach(Viewer::sendHeartbeat);
                }
                version = latest.version();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        viewers.forEach(viewer -> viewer.abort(new EOFException("the server stops")));
    }

    /** An open page. While one event is being sent, only the newest of the others waits. */
    private final class Viewer extends IteratingCallback {
        private final Exchange exchange;
        private final AtomicReference<@Nullable String> next = new AtomicReference<>();

        Viewer(Exchange exchange) {
            this.exchange = exchange;
        }

        void send(String event) {
            next.set(event);
            iterate();
        }

        /** Sends a comment if nothing else is waiting, to detect a page that was closed. */
        void sendHeartbeat() {
            next.compareAndSet(null, ": still here\n\n");
            iterate();
        }

        @Override
        protected Action process() {
            String event = next.getAndSet(null);
            if (event == null) {
                return Action.IDLE;
            }
            exchange.send(event, this);
            return Action.SCHEDULED;
        }

        @Override
        protected void onCompleteFailure(Throwable cause) {
            if (viewers.remove(this)) {
                live.removeViewer();
                places.release();
            }
            exchange.abandon(cause);
        }
    }
}
