package io.counterkit.datastore.internal.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Results of what was carried out on the calling thread. */
public final class Blocking {
    private Blocking() {}

    /** The result, or its failure thrown as itself. */
    public static <T> T join(CompletableFuture<T> done) {
        try {
            return done.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }
}
