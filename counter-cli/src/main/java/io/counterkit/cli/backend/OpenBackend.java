package io.counterkit.cli.backend;

import io.counterkit.RampUpLimiter;
import io.counterkit.datastore.common.DatastoreBackend;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.soak.FaultSource;
import io.counterkit.spi.CounterBackend;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A backend that is ready for use. Its {@link #backend()} is closed first, by the {@link io.counterkit.Counters} over
 * it, and then this.
 */
@FunctionalInterface
public interface OpenBackend extends AutoCloseable {
    /** Returns the backend. */
    CounterBackend backend();

    /** Returns the source of faults in calls to the store; null if there is none. */
    default @Nullable FaultSource faults() {
        return null;
    }

    /** Returns the backend on Firestore, for the operations that only it has; null if this is another backend. */
    default @Nullable FirestoreCounterBackend firestore() {
        return null;
    }

    /** Returns a backend on a Datastore that adopts records on the calling thread; null if there is none. */
    default @Nullable DatastoreBackend<?> datastore() {
        return null;
    }

    /** Returns the ramp-up that the store requires of bulk work; null for none. */
    default @Nullable RampUpLimiter ramp() {
        return null;
    }

    /** Returns a message about the store for the user, in one line; null for none. */
    default @Nullable String notice() {
        return null;
    }

    /** Returns the notice of a store that was just created, so that the user knows where it is. */
    static String keptIn(Path place) {
        return "the counters are kept in " + place;
    }

    /**
     * Frees what was created for the backend, such as a client.
     *
     * @throws java.io.UncheckedIOException if changes may not have been saved
     */
    @Override
    default void close() {}
}
