package io.counterkit.firestore.internal.read;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FirestoreException;
import com.google.cloud.firestore.ListenerRegistration;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.internal.client.RetryingClient;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listener on a counter's document. Google's client reopens its stream by itself where that may help. If the client
 * gives up, this listens again after a pause that grows with each failure, since new listeners are what costs the store
 * most. Thread-safe.
 */
final class SnapshotListener {
    private static final System.Logger LOG = System.getLogger(FirestoreCounterBackend.class.getName());
    private static final Backoff BACKOFF = Backoff.between(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final RetryingClient client;
    private final DocumentReference document;
    private final Semaphore permits;
    private final Consumer<DocumentSnapshot> changed;
    private @Nullable ListenerRegistration registration;
    private @Nullable DocumentSnapshot newest;
    private CompletableFuture<Void> pause = CompletableFuture.completedFuture(null);
    private boolean isPermitted;
    private int failed;

    /**
     * Creates a listener that does not listen yet.
     *
     * @param permits one for each listener of the backend
     * @param changed receives the current document and then each change, in order
     */
    SnapshotListener(
            RetryingClient client, DocumentReference document, Semaphore permits, Consumer<DocumentSnapshot> changed) {
        this.client = client;
        this.document = document;
        this.permits = permits;
        this.changed = changed;
    }

    /** Starts listening, unless it does already, or there is no permit. */
    synchronized void start() {
        if (isPermitted) {
            return;
        }
        isPermitted = permits.tryAcquire();
        if (isPermitted) {
            listen();
        }
    }

    /** Returns the newest document; null while this does not listen. */
    synchronized @Nullable DocumentSnapshot newest() {
        return newest;
    }

    synchronized void stop() {
        if (isPermitted) {
            isPermitted = false;
            permits.release();
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
                // On the thread that receives it: the client's own executor would not keep the order.
                registration = document.addSnapshotListener(MoreExecutors.directExecutor(), this::received);
            } catch (RuntimeException e) {
                listenLater(e);
            }
        }
    }

    private void received(@Nullable DocumentSnapshot counter, @Nullable FirestoreException failure) {
        synchronized (this) {
            if (!isPermitted) {
                return;
            }
            if (counter == null) {
                listenLater(failure);
                return;
            }
            failed = 0;
            newest = counter;
        }
        changed.accept(counter);
    }

    private void listenLater(@Nullable Exception failure) {
        long nanos = BACKOFF.nanos(++failed);
        LOG.log(
                System.Logger.Level.WARNING,
                "listening to " + document.getPath()
                        + " failed; its watches sum meanwhile, and listening is retried in "
                        + Durations.inWords(Duration.ofNanos(nanos)),
                failure);
        registration = null;
        newest = null;
        pause = client.timer(nanos, this::listen);
    }
}
