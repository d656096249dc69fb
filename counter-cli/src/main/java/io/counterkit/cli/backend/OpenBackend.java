package io.counterkit.cli.backend;

import io.counterkit.RampUpLimiter;
import io.counterkit.firestore.ExtensionImport;
import io.counterkit.soak.FaultSource;
import io.counterkit.spi.CounterBackend;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A backend that is ready for use. Its {@link #backend()} is closed first, by the {@link io.counterkit.Counters} over it,
 * and then this.
 */
@FunctionalInterface
public interface OpenBackend extends AutoCloseable {
    /** Returns the backend; called once. */
    CounterBackend backend();

    /** Returns what disturbs the calls to the store; null if nothing can. */
    default @Nullable FaultSource faults() {
        return null;
    }

    /** Returns the shards of the counters; null if the backend has none. */
    default @Nullable Shards shards() {
        return null;
    }

    /** Returns what the store needs besides what the backend writes; null if it needs nothing. */
    default @Nullable Deployment deployment() {
        return null;
    }

    /** Returns what adopts existing records; null if the backend cannot. */
    default @Nullable Adoptions adoptions() {
        return null;
    }

    /**
     * Returns what takes over the counters of a Firebase extension in the same database, given a collection and fields of
     * its documents; null if the backend cannot.
     */
    default @Nullable BiFunction<String, List<String>, ExtensionImport> extensionImports() {
        return null;
    }

    /** Returns the ramp that the store asks of bulk work; null if it asks for none. */
    default @Nullable RampUpLimiter ramp() {
        return null;
    }

    /** Returns what the user must know of the store, in one line; null for nothing. */
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
