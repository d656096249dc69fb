package io.counterkit.jdbc.internal.sql;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes a connection for each task before the task starts. Thread-safe.
 *
 * @param <C> a connection
 */
final class TaskConnections<C> {
    private final Source<C> source;
    private final Consumer<C> returning;

    /** The connection of each running task that has not used it yet. */
    private final Map<Thread, Taken<C>> taken = new ConcurrentHashMap<>();

    /** @param returning returns a connection that a task has not used */
    TaskConnections(Source<C> source, Consumer<C> returning) {
        this.source = source;
        this.returning = returning;
    }

    /** The source of the connections. */
    interface Source<C> {
        /** Waits for a connection. */
        C take() throws StoreFailure;
    }

    /** Returns an executor for {@link Transactions#connecting}. */
    Executor connecting(Executor executor) {
        return task -> executor.execute(() -> {
            taken.put(Thread.currentThread(), Taken.of(source));
            try {
                task.run();
            } finally {
                Taken<C> left = taken.remove(Thread.currentThread());
                if (left != null && left.connection != null) {
                    returning.accept(left.connection);
                }
            }
        });
    }

    /** Returns the connection that was taken for the task of this thread; after the first call, another one. */
    C take() throws StoreFailure {
        Taken<C> first = taken.remove(Thread.currentThread());
        return first == null ? source.take() : first.orThrow();
    }

    /** A connection, or the failure to take one. */
    record Taken<C>(@Nullable C connection, @Nullable Exception failure) {
        static <C> Taken<C> of(Source<C> source) {
            try {
                return new Taken<>(source.take(), null);
            } catch (StoreFailure | RuntimeException e) {
                return new Taken<>(null, e);
            }
        }

        C orThrow() throws StoreFailure {
            if (connection != null) {
                return connection;
            }
            if (failure instanceof StoreFailure store) {
                throw store;
            }
            throw (RuntimeException) Objects.requireNonNull(failure);
        }
    }
}
