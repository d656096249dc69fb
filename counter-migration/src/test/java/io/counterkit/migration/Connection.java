package io.counterkit.migration;

import io.counterkit.spi.Call;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The connection of a backend to its store in a test. */
public interface Connection {
    /**
     * Makes a call, or injects a fault into it.
     *
     * @param what the method of the store and the name, such as {@code source.seal(likes)}
     * @param store makes the call
     */
    <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store);

    /** Returns a connection without faults. */
    static Connection direct() {
        return new Connection() {
            @Override
            public <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store) {
                return store.get();
            }
        };
    }
}
