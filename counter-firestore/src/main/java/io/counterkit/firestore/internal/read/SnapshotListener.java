package io.counterkit.firestore.internal.read;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FirestoreException;
import com.google.cloud.firestore.ListenerRegistration;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.internal.client.Requests;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one listener at a counter's document. The client opens its stream again by itself where that may help; where it
 * gives up, it is listened anew after a pause, ever longer, since coming and going is what costs the store most.
 */
final class SnapshotListener {
    private static final System.Logger LOG = System.getLogger(FirestoreCounterBackend.class.getName());
    private static final long FIRST_PAUSE_SECONDS = 1;
    private static final long LONGEST_PAUSE_SECONDS = 60;

    private final Requests requests;
    private final DocumentReference document;
    private final Semaphore permits;
    private final Consumer<DocumentSnapshot> changed;
    private @Nullable ListenerRegistration registration;
    private @Nullable DocumentSnapshot newest;
    private CompletableFuture<Void> pause = CompletableFuture.completedFuture(null);
    private boolean isPermitted;
    private int failed;

    /**
     * @param permits one for each listener that may be
     * @param changed is told of the document as it is, and then of each change, in order
     */
    SnapshotListener(
            Requests requests, DocumentReference document, Semaphore permits, Consumer<DocumentSnapshot> changed) {
        this.requests = requests;
        this.document = document;
        this.permits = permits;
        this.changed = changed;
    }

    /** Does nothing if there are too many already. */
    synchronized void start() {
        isPermitted = permits.tryAcquire();
        if (isPermitted) {
            listen();
        }
    }

    /** What it heard last; null while it does not listen. */
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
                // On the thread that hears it: the client's own executor would mix up the order.
                registration = document.addSnapshotListener(MoreExecutors.directExecutor(), this::heard);
            } catch (RuntimeException e) {
                listenLater(e);
            }
        }
    }

    private void heard(@Nullable DocumentSnapshot counter, @Nullable FirestoreException failure) {
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
        long seconds = Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS << Math.min(failed++, 20));
        LOG.log(
                System.Logger.Level.WARNING,
                "listening to " + document.getPath() + " failed; its watches sum it themselves, and it is listened to"
                        + " again in " + seconds + " s",
                failure);
        registration = null;
        newest = null;
        pause = requests.timer(TimeUnit.SECONDS.toNanos(seconds), this::listen);
    }
}
