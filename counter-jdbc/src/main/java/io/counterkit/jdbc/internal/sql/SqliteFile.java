package io.counterkit.jdbc.internal.sql;

import io.counterkit.spi.BlockingCalls.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The file of a SQLite database, as it was when the backend was created. Thread-safe. */
final class SqliteFile {
    private static final String MISSING = "missing";
    private static final int LOOK_MILLIS = 5;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);

    private final Path path;
    private final Path logPath;
    private final Path indexPath;

    /** Identifies the file that {@link #path} named at first; null where the file system has no such keys. */
    private final @Nullable Object key;

    /** The log's key when it was last read. */
    private volatile LogKey logKey;

    /** Whether the log was deleted: a connection that is opened later would use another one. */
    private volatile boolean isLogLost;

    private SqliteFile(Path path) {
        this.path = path;
        this.logPath = Path.of(path + "-wal");
        this.indexPath = Path.of(path + "-shm");
        this.key = key(path);
        this.logKey = new LogKey(key(logPath), System.nanoTime());
    }

    /**
     * Returns the file of a connection.
     *
     * @throws IllegalArgumentException if there is none, it has several hard links, or Java cannot encode its name
     */
    static SqliteFile of(Connection connection) throws SQLException {
        String path = pathOf(connection);
        if (path.isEmpty()) {
            throw new IllegalArgumentException(
                    "the data source leads to SQLite in memory: use a file, jdbc:sqlite:PATH");
        }
        try {
            Path file = Path.of(path);
            SqliteSettings.checkHasOneName(file);
            return new SqliteFile(file);
        } catch (InvalidPathException e) { // SQLite uses UTF-8, and Java the encoding of the locale
            throw new IllegalArgumentException(
                    "Java cannot encode the name of the file " + path + " in the encoding of this locale, "
                            + System.getProperty("sun.jnu.encoding")
                            + ": use a locale with UTF-8, such as LC_ALL=C.UTF-8, or rename the file",
                    e);
        }
    }

    /** Returns the absolute path of a connection's file, without symbolic links; empty if there is none. */
    private static String pathOf(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA database_list")) {
            String path = row.next() ? row.getString("file") : null;
            return path == null ? "" : path;
        }
    }

    private static @Nullable Object key(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (IOException e) {
            return MISSING;
        }
    }

    /**
     * Checks that the file exists, and that its log was not lost. SQLite continues to write to a deleted file, and
     * these changes would be lost. A new connection would create an empty file, and delete the log of the missing one,
     * which has commits.
     */
    void check() throws StoreFailure {
        if (!Objects.equals(key(path), key)) {
            throw failure("the file " + path + " was deleted or replaced while it was open: put it back, or restart");
        }
        if (isLogLost) {
            throw failure("the file " + logPath + " or " + indexPath
                    + " was deleted or replaced while it was open: restart all processes");
        }
    }

    /**
     * A key of the log.
     *
     * @param nanos when it was read
     */
    private record LogKey(@Nullable Object key, long nanos) {}

    /** The keys of the log and of its index. */
    record Log(@Nullable Object log, @Nullable Object index) {}

    /** Returns the log, which exists while a connection is open; null if there is none, as without shared memory. */
    @Nullable Log log() {
        logKey = new LogKey(key(logPath), System.nanoTime());
        Log found = new Log(logKey.key, key(indexPath));
        return MISSING.equals(found.log) || MISSING.equals(found.index) ? null : found;
    }

    /**
     * Returns whether the given log is certainly the current one. A missing log is noticed immediately, and a replaced
     * one when its key was read more than {@value #LOOK_MILLIS} ms ago. The key is not read each time: after the
     * attributes of a file were read, Linux gives the next write a new time stamp, and a commit that has to store it
     * takes a quarter longer.
     */
    private boolean isCurrent(Log log) {
        LogKey known = logKey;
        return System.nanoTime() - known.nanos < LOOK_NANOS
                && Objects.equals(known.key, log.log)
                && Objects.equals(key(indexPath), log.index)
                && exists(logPath);
    }

    private static boolean exists(Path path) {
        try {
            path.getFileSystem().provider().checkAccess(path); // unlike Files.exists, reads no attributes on any JDK
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Checks that an open connection still has the log of the file. Commits in a deleted log are hidden from other
     * processes, and are lost when this process ends.
     */
    void checkIsLogOf(SqliteSession session) throws StoreFailure {
        if (session.log != null && !isCurrent(session.log) && !session.log.equals(log())) {
            check(); // all files may have been moved together
            isLogLost = true;
            check();
        }
    }

    /**
     * Checks that a connection leads to this file. A symbolic link may name another file now, and changes would go
     * to both files.
     */
    void checkIsOf(Connection connection) throws StoreFailure {
        String other;
        try {
            other = pathOf(connection);
        } catch (SQLException e) {
            throw SqliteErrors.beforeCommit(e);
        }
        if (!Objects.equals(key(Path.of(other)), key)) {
            throw failure("the connection leads to " + (other.isEmpty() ? "a database in memory" : "the file " + other)
                    + ", and this backend was created with the file " + path
                    + ": restart if a symbolic link was changed");
        }
    }

    private static StoreFailure failure(String message) {
        return new StoreFailure(Failure.PERMANENT, false, message, null);
    }
}
