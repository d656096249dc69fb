package io.counterkit.datastore;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Results of what was carried out on the calling thread. */
final class Blocking {
    private Blocking() {}

    /** The result, or its failure thrown as itself. */
    static <T> T join(CompletableFuture<T> done) {
        try {
            return done.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }
}
