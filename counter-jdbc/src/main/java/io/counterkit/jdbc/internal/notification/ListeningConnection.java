package io.counterkit.jdbc.internal.notification;

import io.counterkit.jdbc.internal.notification.NotificationListener.Topic;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A connection that listens on channels. JDBC has no notifications, so this class calls methods of PostgreSQL's own
 * driver, by reflection, since the application chooses the driver. Used by one thread.
 */
final class ListeningConnection implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ListeningConnection.class.getName());

    /**
     * The longest wait, after which the thread ends if it is not needed. The driver waits without a call to the server.
     */
    private static final int WAIT_MILLIS = 1_000;

    /** A connection without notifications is checked after this many waits. */
    private static final int WAITS_BETWEEN_CHECKS = 15;

    private static final int CHECK_SECONDS = 10;

    private final Connection connection;
    private final Object driver;
    private final Method getNotifications;
    private final Method getName;
    private final Method getParameter;
    private final boolean wasAutoCommit;
    private final int networkTimeout;
    private Set<String> channels = Set.of();
    private int silent;
    private boolean isReleased;

    private ListeningConnection(Connection connection) throws SQLException, ReflectiveOperationException {
        Class<?> type = Class.forName(
                "org.postgresql.PGConnection", true, connection.getClass().getClassLoader());
        if (!connection.isWrapperFor(type)) {
            throw new UnsupportedOperationException("a connection of " + connection.getClass());
        }
        this.connection = connection;
        this.driver = connection.unwrap(type);
        this.getNotifications = type.getMethod("getNotifications", int.class);
        Class<?> notification = getNotifications.getReturnType().getComponentType();
        this.getName = notification.getMethod("getName");
        this.getParameter = notification.getMethod("getParameter");
        this.wasAutoCommit = connection.getAutoCommit();
        this.networkTimeout = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, CHECK_SECONDS * 1_000);
        connection.setAutoCommit(true); // notifications do not arrive within a transaction
        execute("SET idle_session_timeout TO 0"); // a session that only listens is idle
    }

    /**
     * Opens a connection.
     *
     * @throws UnsupportedOperationException if the connection is not one of PostgreSQL's own driver
     */
    static ListeningConnection open(DataSource source) throws SQLException {
        Connection connection = source.getConnection();
        try {
            return new ListeningConnection(connection);
        } catch (ReflectiveOperationException e) {
            end(connection);
            throw new UnsupportedOperationException("the driver has no notifications", e);
        } catch (SQLException | RuntimeException e) {
            end(connection);
            throw e;
        }
    }

    /** Listens on these channels only, and returns them. */
    Set<String> listen(Set<String> wanted) throws SQLException {
        for (String channel : wanted) {
            if (!channels.contains(channel)) {
                execute("LISTEN " + channel);
            }
        }
        for (String channel : channels) {
            if (!wanted.contains(channel)) {
                execute("UNLISTEN " + channel);
            }
        }
        channels = Set.copyOf(wanted);
        return channels;
    }

    private void execute(String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    /** Waits for notifications, at most about a second, and returns their channels and payloads. */
    List<Topic> await() throws SQLException {
        List<Topic> received = new ArrayList<>();
        if (call(getNotifications, driver, WAIT_MILLIS) instanceof Object[] notifications) {
            for (Object notification : notifications) {
                received.add(new Topic(
                        String.valueOf(call(getName, notification)), String.valueOf(call(getParameter, notification))));
            }
        }
        if (!received.isEmpty()) {
            silent = 0;
        } else if (++silent % WAITS_BETWEEN_CHECKS == 0 && !connection.isValid(CHECK_SECONDS)) {
            throw new SQLException("the server does not answer", "08006");
        }
        return received;
    }

    private static @Nullable Object call(Method method, Object target, Object... arguments) throws SQLException {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof SQLException failure ? failure : new SQLException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new UnsupportedOperationException("the driver has no notifications", e);
        }
    }

    /** Restores the connection, which {@link #close} then returns. */
    void release() throws SQLException {
        execute("UNLISTEN *");
        execute("RESET idle_session_timeout");
        connection.setAutoCommit(wasAutoCommit);
        connection.setNetworkTimeout(Runnable::run, networkTimeout);
        isReleased = true;
    }

    @Override
    public void close() throws SQLException {
        if (isReleased) {
            connection.close();
        } else {
            end(connection);
        }
    }

    /** Aborts a connection, so that the next user of a pool does not listen too. */
    private static void end(Connection connection) {
        try (connection) {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection could not be aborted", e);
        }
    }
}
