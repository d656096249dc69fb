package io.counterkit.tck.internal.view;

import io.counterkit.spi.Listening;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A listener that closes itself when it is called. Thread-safe. */
public final class ClosingListener {
    private final CompletableFuture<@Nullable Listening> open = new CompletableFuture<>();
    private volatile boolean isArmed;
    private volatile boolean isClosed;

    private ClosingListener() {}

    /** Starts to listen. Ignores calls until {@link #arm}, since earlier ones only report that the listener is live. */
    public static ClosingListener start(Function<Runnable, @Nullable Listening> listen) {
        ClosingListener listener = new ClosingListener();
        listener.open.complete(listen.apply(listener::report));
        return listener;
    }

    /** Lets the next call close the listener. */
    void arm() {
        isArmed = true;
    }

    /** Returns whether the listener has closed itself. */
    boolean isClosed() {
        return isClosed;
    }

    private void report() {
        Listening listening = open.getNow(null);
        if (listening != null && isArmed) {
            listening.close();
            isClosed = true;
        }
    }
}
