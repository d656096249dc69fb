package io.counterkit.jdbc.internal.sql;

import io.counterkit.CounterException;
import io.counterkit.jdbc.internal.sql.Session.Work;
import io.counterkit.spi.BlockingCalls.Failure;
import io.counterkit.spi.Call;
import io.counterkit.spi.Reasons;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs transactions on connections to a file, which are kept open, one for each working thread. SQLite's wait for the
 * write lock is unfair and has no deadline, so {@link SqliteSession#begin} waits in short steps.
 */
final class SqliteTransactions implements Transactions {
    private static final long LONGEST_WAIT_MILLIS = 5;

    private final DataSource source;
    private final SqliteFile file;
    private final ReentrantLock writerLock = new ReentrantLock(true);
    private final TaskConnections<SqliteSession> sessions =
            new TaskConnections<>(this::takeOne, session -> release(session, true));
    private final Deque<SqliteSession> idle = new ArrayDeque<>();
    private final Set<SqliteSession> open = ConcurrentHashMap.newKeySet();
    private boolean isClosed;

    SqliteTransactions(DataSource source, SqliteFile file) {
        this.source = source;
        this.file = file;
    }

    @Override
    public <T> T write(Call call, Work<T> work) throws Exception {
        SqliteSession session = sessions.take();
        boolean isUsable = false;
        boolean isLocked = tryLockWriter();
        try {
            session.begin(call);
            T result;
            try {
                file.check(); // again, since it may have waited for a lock
                file.checkIsLogOf(session);
                result = work.run(session);
            } catch (SQLException e) {
                session.tryRollBack();
                throw SqliteErrors.beforeCommit(e);
            } catch (Throwable e) {
                isUsable = session.tryRollBack();
                throw e;
            }
            try {
                session.execute("COMMIT");
            } catch (SQLException e) {
                session.tryRollBack();
                throw SqliteErrors.atCommit(e);
            } catch (RuntimeException | Error e) {
                throw new StoreFailure(Failure.UNKNOWN, false, "the commit failed: " + Reasons.of(e), e);
            }
            isUsable = true;
            return result;
        } finally {
            if (isLocked) {
                writerLock.unlock();
            }
            release(session, isUsable);
        }
    }

    /** Runs as {@link #write} does: there are no round trips to save. */
    @Override
    public <T> T writeOnce(Call call, Work<T> work) throws Exception {
        return write(call, work);
    }

    /** Orders the writing threads of this process. Gives up soon, so that a hanging thread does not stop the others. */
    private boolean tryLockWriter() {
        try {
            return writerLock.tryLock(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public <T> T read(Call call, Work<T> work) throws Exception {
        SqliteSession session = sessions.take();
        boolean isUsable = false;
        try {
            file.checkIsLogOf(session); // another process may write to another log
            T result = work.run(session);
            isUsable = true;
            return result;
        } catch (SQLException e) {
            throw SqliteErrors.beforeCommit(e);
        } catch (CounterException e) {
            isUsable = true; // the stored data is wrong, not the connection
            throw e;
        } finally {
            release(session, isUsable);
        }
    }

    @Override
    public <T> T within(Connection connection, Work<T> work) throws StoreFailure {
        file.check();
        SqliteSession session = SqliteSession.within(connection);
        try {
            if (!SqliteSettings.probeTransaction(connection)) {
                throw SqliteErrors.ended();
            }
            file.checkIsOf(connection);
            return session.part(work);
        } catch (SQLException e) {
            throw SqliteErrors.within(e);
        } finally {
            session.closeStatements();
        }
    }

    /**
     * Sets the journal mode and the durability before the transaction, since they cannot be changed within one. The
     * durability is a setting of the connection; a journal in memory would damage the file if the process is killed.
     */
    @Override
    public Restoring begin(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        SqliteSettings.writeAhead(connection);
        int before = SqliteSettings.get(connection, SqliteSettings.DURABILITY);
        boolean isDurable = before >= SqliteSettings.DURABLE;
        if (!isDurable) {
            SqliteSettings.set(connection, SqliteSettings.DURABILITY, SqliteSettings.DURABLE);
        }
        connection.setAutoCommit(false);
        SqliteSettings.markTransaction(connection);
        return isDurable ? () -> {} : () -> SqliteSettings.set(connection, SqliteSettings.DURABILITY, before);
    }

    @Override
    public boolean tryUnmark(Connection connection) {
        return SqliteSettings.tryUnmarkTransaction(connection);
    }

    @Override
    public void commit(Connection connection) throws StoreFailure {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw SqliteErrors.atCallersCommit(e);
        } catch (RuntimeException | Error e) {
            throw new StoreFailure(Failure.UNKNOWN, false, "the commit failed: " + Reasons.of(e), e);
        }
    }

    /** Begins a transaction first if SQLite has ended it, since the driver refuses to end it again. */
    @Override
    public void rollBack(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            return; // the application has turned it on, which has ended the transaction
        }
        if (!SqliteSettings.probeTransaction(connection)) {
            SqliteSettings.execute(connection, "BEGIN");
        }
        connection.rollback();
    }

    @Override
    public StoreFailure failure(SQLException e) {
        return SqliteErrors.ofApplication(e);
    }

    @Override
    public Executor connecting(Executor executor) {
        return sessions.connecting(executor);
    }

    private SqliteSession takeOne() throws StoreFailure {
        file.check();
        SqliteSession session = poll();
        try {
            if (session == null) {
                session = SqliteSession.open(connect(), file);
                open.add(session);
            }
            return session;
        } catch (SQLException e) {
            throw SqliteErrors.beforeCommit(e);
        }
    }

    @Override
    public Connection connect() throws StoreFailure {
        file.check();
        for (SqliteSession session : open) {
            file.checkIsLogOf(session);
        }
        Connection connection;
        try {
            connection = source.getConnection();
        } catch (SQLException e) {
            throw SqliteErrors.notConnected(e);
        } catch (RuntimeException | Error e) {
            throw StoreFailure.notConnected(e);
        }
        return checked(connection);
    }

    /** Returns the connection if it leads to the file; otherwise closes it. */
    private Connection checked(Connection connection) throws StoreFailure {
        try {
            file.checkIsOf(connection);
            return connection;
        } catch (StoreFailure | RuntimeException e) {
            SqliteSession.within(connection).close();
            throw e;
        }
    }

    private synchronized @Nullable SqliteSession poll() {
        return idle.poll();
    }

    private void release(SqliteSession session, boolean isUsable) {
        if (!isUsable || !tryKeep(session)) {
            close(session);
        }
    }

    private void close(SqliteSession session) {
        open.remove(session);
        session.close();
    }

    private synchronized boolean tryKeep(SqliteSession session) {
        if (!isClosed) {
            idle.push(session);
        }
        return !isClosed;
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
        }
        for (SqliteSession session = poll(); session != null; session = poll()) {
            close(session);
        }
    }
}
