package io.counterkit.datastore.internal.client;

import com.google.apphosting.api.ApiProxy;
import io.counterkit.NotAppliedException;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.spi.Call;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Carries out operations on the thread that calls: the App Engine API is bound to it. */
public final class CallerThread {
    private final DatastoreSequenceOptions options;

    public CallerThread(DatastoreSequenceOptions options) {
        this.options = options;
    }

    /** Carries out an operation that tells its outcome itself. */
    public <T> CompletableFuture<T> change(Supplier<T> operation) {
        try {
            checkEnvironment();
            return CompletableFuture.completedFuture(operation.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Carries out a read, and again while the store fails and there is time. */
    public <T> CompletableFuture<T> read(String name, Call call, Supplier<T> operation) {
        return change(() -> RetryLoop.reading(options, name, call, unused -> operation.get()));
    }

    private static void checkEnvironment() {
        if (ApiProxy.getCurrentEnvironment() == null) {
            throw new NotAppliedException("thread '" + Thread.currentThread().getName()
                    + "' has no App Engine environment, so the Datastore cannot be called from it: use a thread of the"
                    + " request, or of ThreadManager.currentRequestThreadFactory(), or give your threads one with"
                    + " ApiProxy.setEnvironmentForCurrentThread");
        }
    }
}
