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

/** Tells every open page what is new. One thread does so for all, and waits for none of them. Thread-safe. */
final class Viewers implements AutoCloseable {
    /** More often than the server gives up on a connection that is silent. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final Live live;
    private final Semaphore places;
    private final Set<Viewer> viewers = ConcurrentHashMap.newKeySet();
    private final Thread thread = new Thread(this::tell, "viewers");

    Viewers(Live live, int most) {
        this.live = live;
        this.places = new Semaphore(most);
        thread.setDaemon(true);
        thread.start();
    }

    /** Shows what is known and then what is new, until the page is gone; false if there are too many. */
    boolean add(Exchange exchange) {
        if (!places.tryAcquire()) {
            return false;
        }
        exchange.begin(200, "text/event-stream; charset=utf-8");
        Viewer viewer = new Viewer(exchange);
        viewers.add(viewer);
        live.enter();
        viewer.show(event(live.latest()));
        return true;
    }

    private static String event(Snapshot snapshot) {
        return "data: " + Json.of(snapshot) + "\n\n";
    }

    private void tell() {
        try {
            long version = -1;
            while (!Thread.currentThread().isInterrupted()) {
                Snapshot shown = live.after(version, HEARTBEAT);
                if (shown.version() > version) {
                    String event = event(shown);
                    viewers.forEach(viewer -> viewer.show(event));
                } else {
                    viewers.forEach(Viewer::confirm);
                }
                version = shown.version();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        viewers.forEach(viewer -> viewer.abort(new EOFException("the server ends")));
    }

    /** A page. While one event is on its way to it, only the newest of the others waits. */
    private final class Viewer extends IteratingCallback {
        private final Exchange exchange;
        private final AtomicReference<@Nullable String> next = new AtomicReference<>();

        Viewer(Exchange exchange) {
            this.exchange = exchange;
        }

        void show(String event) {
            next.set(event);
            iterate();
        }

        /** Finds out whether the page is still there, if nothing else does. */
        void confirm() {
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
                live.leave();
                places.release();
            }
            exchange.abandon(cause);
        }
    }
}
