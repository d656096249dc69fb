package io.counterkit.cli.jdbc;

import io.counterkit.NotAppliedException;
import io.counterkit.cli.backend.BackendFactory.Opening;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Arguments;
import io.counterkit.cli.console.FileNames;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Reasons;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;

/**
 * A file with counters.
 *
 * @param isDefault whether the user has named no file; the directory is then created with the file
 * @param cache where the driver's native library is unpacked
 */
record SqliteFile(Path path, boolean isDefault, Path cache) {
    private static final String OWN_TABLE = "counterkit_version";

    /**
     * Opens the file, and creates it if it is absent; for {@link Opening#READING} an empty store in memory instead.
     *
     * @throws IllegalArgumentException if the file cannot be used, or is absent and is to be a source; the message is
     *     for the user
     * @throws NotAppliedException if another process keeps it locked
     */
    OpenBackend open(Opening opening) {
        boolean isNew = FileNames.isAbsent(path);
        Arguments.check(!isNew || opening != Opening.SOURCE, "there is no file " + path + ": name another with --file");
        if (isNew && opening == Opening.READING) {
            return new OpenFile(InMemoryBackend.create(), "there is no file " + path + " yet, so it has no counters");
        }
        if (isNew && isDefault) {
            createDirectory();
        }
        check();
        List<String> tables = tables();
        boolean isEmpty = opening == Opening.READING && tables.isEmpty();
        return new OpenFile(isEmpty ? InMemoryBackend.create() : open(tables), isNew ? OpenBackend.keptIn(path) : null);
    }

    private void createDirectory() {
        try {
            Files.createDirectories(parent());
        } catch (IOException e) {
            throw unusable(
                    "its directory cannot be created: " + FileNames.problem(e)
                            + ": name another directory with COUNTERKIT_HOME, or a file with --file",
                    e);
        }
    }

    private Path parent() {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }

    /** Checks for problems that SQLite reports less clearly. */
    private void check() {
        check(!Files.isDirectory(path), "it is a directory: name a file in it with --file");
        check(
                Files.isDirectory(parent()),
                "there is no directory " + parent() + ", or you may not read it: create it, or name another file");
        check(
                !path.toString().contains("?"),
                "SQLite's driver cannot open a name with a question mark: choose another");
        check(
                !Files.exists(path) || (Files.isReadable(path) && Files.isWritable(path)),
                "you may not read and write it: change its permissions, or name another file");
        check(
                Files.isWritable(parent()),
                "you may not write into its directory, where SQLite keeps two more files: change its permissions, or"
                        + " name another file");
    }

    private void check(boolean isUsable, String otherwise) {
        if (!isUsable) {
            throw unusable(otherwise, null);
        }
    }

    private List<String> tables() {
        List<String> names = new ArrayList<>();
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw failure(e);
        }
        return names;
    }

    /** Creates tables in an empty file only: the file may belong to another program. */
    private CounterBackend open(List<String> tables) {
        check(
                tables.isEmpty() || tables.contains(OWN_TABLE),
                "it has tables of another program, and none of CounterKit: name another file");
        JdbcCounterOptions options =
                JdbcCounterOptions.builder().createTables(tables.isEmpty()).build();
        try {
            return JdbcCounterBackend.create(source(), options);
        } catch (IllegalStateException e) { // tables of another version
            throw unusable(String.valueOf(e.getMessage()), e);
        } catch (NotAppliedException e) {
            throw e.getCause() instanceof SQLException cause ? failure(cause) : e;
        }
    }

    private SQLiteDataSource source() {
        NativeLibrary.unpackTo(cache);
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + path);
        return source;
    }

    private RuntimeException failure(SQLException e) {
        int code = e.getErrorCode() & 0xff;
        if (code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code) {
            return new NotAppliedException("another program keeps " + path + " locked: try again when it has ended", e);
        }
        if (code == SQLiteErrorCode.SQLITE_NOTADB.code) {
            return unusable("it is not a SQLite database: name another file", e);
        }
        return unusable(Reasons.of(e).replaceFirst("^\\[SQLITE_\\w+]\\s*", "") + ": name another file", e);
    }

    private IllegalArgumentException unusable(String why, @Nullable Exception cause) {
        return new IllegalArgumentException((isDefault ? "" : "--file ") + path + " cannot be used: " + why, cause);
    }

    private record OpenFile(
            CounterBackend backend, @Nullable String notice) implements OpenBackend {}
}
