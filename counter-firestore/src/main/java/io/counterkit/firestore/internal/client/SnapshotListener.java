package io.counterkit.firestore.internal.client;

import com.google.cloud.firestore.EventListener;
import com.google.cloud.firestore.FirestoreException;
import com.google.cloud.firestore.ListenerRegistration;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A listener on a document or a query. Google's client automatically reopens its stream after most failures. If the
 * client gives up, listens again after a pause that grows with each failure, since new listeners cost the store most.
 * Thread-safe.
 */
public final class SnapshotListener<S> {
    private static final System.Logger LOG = System.getLogger(FirestoreCounterBackend.class.getName());
    private static final Backoff BACKOFF = Backoff.between(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final BackendTimers timers;
    private final String path;
    private final Source<S> source;
    private final ListenerPool pool;
    private final Consumer<S> changed;
    private final Runnable lost;
    private @Nullable ListenerRegistration registration;
    private @Nullable S newest;
    private CompletableFuture<Void> pause = CompletableFuture.completedFuture(null);
    private boolean isPermitted;
    private int failed;

    /** The method {@code addSnapshotListener} of a document or a query. */
    public interface Source<S> {
        ListenerRegistration listen(Executor executor, EventListener<S> listener);
    }

    /**
     * Creates a listener that does not listen yet.
     *
     * @param path the path of the document or collection, for warnings
     * @param changed receives the current snapshot and then each change, in order
     * @param lost runs when the client gives up
     */
    public SnapshotListener(FirestoreSchema schema, String path, Source<S> source, Consumer<S> changed, Runnable lost) {
        this.timers = schema.timers();
        this.path = path;
        this.source = source;
        this.pool = schema.listeners();
        this.changed = changed;
        this.lost = lost;
    }

    /** Starts to listen, unless it listens already or there is no permit. */
    public synchronized void start() {
        if (isPermitted) {
            return;
        }
        isPermitted = pool.tryAcquire();
        if (isPermitted) {
            listen();
        }
    }

    /** Returns the newest snapshot; null while this listener is not active. */
    public synchronized @Nullable S newest() {
        return newest;
    }

    public synchronized void stop() {
        if (isPermitted) {
            isPermitted = false;
            pool.release();
            pause.cancel(false);
            newest = null;
            remove();
        }
    }

    private void remove() {
        try {
            if (registration != null) {
                registration.remove();
            }
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "the client was closed before the watch", e);
        }
        registration = null;
    }

    private synchronized void listen() {
        if (isPermitted) {
            try {
                // Runs on the receiving thread: the client's own executor would not keep the order.
                registration = source.listen(MoreExecutors.directExecutor(), this::received);
            } catch (RuntimeException e) {
                listenLater(e);
            }
        }
    }

    private void received(@Nullable S snapshot, @Nullable FirestoreException failure) {
        synchronized (this) {
            if (!isPermitted) {
                return;
            }
            if (snapshot == null) {
                listenLater(failure);
            } else {
                failed = 0;
                newest = snapshot;
            }
        }
        if (snapshot == null) {
            lost.run();
        } else {
            changed.accept(snapshot);
        }
    }

    private void listenLater(@Nullable Exception failure) {
        long nanos = BACKOFF.nanos(++failed);
        LOG.log(
                System.Logger.Level.WARNING,
                "listening to " + path + " failed; it is polled meanwhile, and listening is retried in "
                        + Durations.inWords(Duration.ofNanos(nanos)),
                failure);
        registration = null;
        newest = null;
        pause = timers.runAfter(nanos, this::listen);
    }
}
