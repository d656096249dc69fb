package io.counterkit.jdbc.internal.sql;

import io.counterkit.spi.BlockingCalls.Failure;
import io.counterkit.spi.Reasons;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The connections of a data source. Thread-safe. */
final class PostgresConnections {
    private static final System.Logger LOG = System.getLogger(PostgresConnections.class.getName());

    private final DataSource source;

    /** The connection of each running task that has not used it yet. */
    private final Map<Thread, Borrowed> borrowed = new ConcurrentHashMap<>();

    PostgresConnections(DataSource source) {
        this.source = source;
    }

    /** Returns an executor for {@link Transactions#connecting}. */
    Executor connecting(Executor executor) {
        return task -> executor.execute(() -> {
            borrowed.put(Thread.currentThread(), borrow());
            try {
                task.run();
            } finally {
                close(borrowed.remove(Thread.currentThread()));
            }
        });
    }

    /** Returns the connection of the task of this thread, once, or else another one. */
    Connection take() throws StoreFailure {
        Borrowed taken = borrowed.remove(Thread.currentThread());
        return (taken == null ? borrow() : taken).orThrow();
    }

    private Borrowed borrow() {
        try {
            return new Borrowed(source.getConnection(), null);
        } catch (SQLException e) {
            return new Borrowed(null, PostgresErrors.notConnected(e));
        } catch (RuntimeException e) {
            String message = "no connection to the database: " + Reasons.of(e);
            return new Borrowed(null, new StoreFailure(Failure.PERMANENT, false, message, e));
        }
    }

    private static void close(@Nullable Borrowed unused) {
        try {
            if (unused != null && unused.connection != null) {
                unused.connection.close();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection could not be returned", e);
        }
    }

    /** A connection, or why there is none. */
    private record Borrowed(
            @Nullable Connection connection, @Nullable StoreFailure failure) {
        Connection orThrow() throws StoreFailure {
            if (connection == null) {
                throw Objects.requireNonNull(failure);
            }
            return connection;
        }
    }
}
