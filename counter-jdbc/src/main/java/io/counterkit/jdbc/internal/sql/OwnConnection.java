package io.counterkit.jdbc.internal.sql;

import io.counterkit.jdbc.internal.sql.TaskConnections.Source;
import io.counterkit.jdbc.internal.sql.TaskConnections.Taken;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/**
 * Takes a connection on a thread of the application. A data source may return the connection of the transaction that a
 * framework has begun on that thread, such as Spring's {@code TransactionAwareDataSourceProxy}. That connection is not
 * in autocommit mode, and another thread gets another one.
 */
final class OwnConnection {
    private OwnConnection() {}

    /** Takes a connection that is in no transaction of this thread. */
    static Connection take(Source<Connection> source) throws StoreFailure {
        Connection connection = source.take();
        if (isAutoCommit(connection)) {
            return connection;
        }
        Transactions.closeQuietly(connection);
        return CompletableFuture.supplyAsync(() -> Taken.<Connection>of(() -> takeAndUse(source)), OwnConnection::start)
                .join()
                .orThrow();
    }

    /** Uses the connection, since a proxy of one may connect only then. */
    private static Connection takeAndUse(Source<Connection> source) throws StoreFailure {
        Connection connection = source.take();
        boolean unused = isAutoCommit(connection);
        return connection;
    }

    private static boolean isAutoCommit(Connection connection) throws StoreFailure {
        try {
            return connection.getAutoCommit();
        } catch (SQLException e) {
            Transactions.closeQuietly(connection);
            throw Dialect.failure(e);
        } catch (RuntimeException | Error e) {
            Transactions.closeQuietly(connection);
            throw StoreFailure.notConnected(e);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "counter-jdbc-connect");
        thread.setDaemon(true);
        thread.start();
    }
}
