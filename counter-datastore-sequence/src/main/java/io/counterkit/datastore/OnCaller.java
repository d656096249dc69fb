package io.counterkit.datastore;

import com.google.appengine.api.NamespaceManager;
import com.google.apphosting.api.ApiProxy;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Call;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Carries out operations on the thread that calls, in the backend's namespace: the App Engine API is bound to both. */
final class OnCaller {
    private final DatastoreSequenceOptions options;
    private final String namespace;

    OnCaller(DatastoreSequenceOptions options) {
        this.options = options;
        this.namespace = options.namespace() == null ? current() : options.namespace();
    }

    private static String current() {
        String namespace = ApiProxy.getCurrentEnvironment() == null ? null : NamespaceManager.get();
        return namespace == null ? "" : namespace;
    }

    /** The namespace of everything that is stored. */
    String namespace() {
        return namespace;
    }

    /** Carries out an operation that tells its outcome itself. */
    <T> CompletableFuture<T> change(Supplier<T> operation) {
        try {
            return CompletableFuture.completedFuture(inNamespace(operation));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Carries out a read, and again while the store fails and there is time. */
    <T> CompletableFuture<T> read(String name, Call call, Supplier<T> operation) {
        return change(() -> Tries.reading(options, name, call, unused -> operation.get()));
    }

    <T> T inNamespace(Supplier<T> operation) {
        if (ApiProxy.getCurrentEnvironment() == null) {
            throw new NotAppliedException("thread '" + Thread.currentThread().getName()
                    + "' has no App Engine environment, so the Datastore cannot be called from it: use a thread of the"
                    + " request, or of ThreadManager.currentRequestThreadFactory(), or give your threads one with"
                    + " ApiProxy.setEnvironmentForCurrentThread");
        }
        @Nullable String before = NamespaceManager.get();
        if (namespace.equals(before == null ? "" : before)) {
            return operation.get();
        }
        NamespaceManager.set(namespace);
        try {
            return operation.get();
        } finally {
            NamespaceManager.set(before);
        }
    }
}
