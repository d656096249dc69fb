package io.counterkit.datastore.local;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Decides when the store's memory is written to disk, and which answers wait for that. Thread-safe. */
interface Writing {
    /** Throws {@link StoppedException} if a write failed. */
    void check();

    /**
     * Returns an answer that is given once what it was taken from is on disk, if that is promised.
     *
     * @param answer the store's answer
     * @param change the last change before the answer was taken
     * @param seconds how long the caller waits; null for as long as it takes
     */
    Future<byte[]> whenWritten(Future<byte[]> answer, long change, @Nullable Double seconds);

    /**
     * Writes what is not written yet. Cannot be interrupted. May be called again after a failure.
     *
     * @param change the last change
     * @throws StoppedException if not everything could be written
     */
    void finish(long change);

    /** Writes nothing any more. */
    void end();
}
