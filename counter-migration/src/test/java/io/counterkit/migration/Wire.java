package io.counterkit.migration;

import io.counterkit.spi.Call;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What stands between a backend and its store in a test: every call passes here. */
public interface Wire {
    /**
     * Carries a call out, or does something else to it.
     *
     * @param what the method of the store and the name, such as {@code source.seal(likes)}
     * @param store carries the call out
     */
    <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store);

    /** Passes everything. */
    static Wire open() {
        return new Wire() {
            @Override
            public <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store) {
                return store.get();
            }
        };
    }
}
