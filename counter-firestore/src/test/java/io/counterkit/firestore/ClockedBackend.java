package io.counterkit.firestore;

import com.google.cloud.firestore.Firestore;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** Creates backends whose load is observed by another clock than that of the machine. */
public final class ClockedBackend {
    private ClockedBackend() {}

    /** Creates a backend. {@code nanos} returns the elapsed time in nanoseconds. */
    public static FirestoreCounterBackend create(
            Firestore client, FirestoreCounterOptions options, LongSupplier nanos) {
        return new FirestoreCounterBackend(client, options, InstantSource.system(), nanos);
    }
}
