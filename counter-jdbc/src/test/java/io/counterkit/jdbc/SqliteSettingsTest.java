package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.ContentionException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteDataSource;

/** Settings of the data source, and a log that is deleted, which SQLite would not report. */
class SqliteSettingsTest {
    private static final JdbcCounterOptions OPTIONS =
            JdbcCounterOptions.builder().createTables(true).build();

    @TempDir
    Path directory;

    private SQLiteDataSource source(String settings) {
        return SqliteFixture.file(directory.resolve("counters.db" + settings));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16le", "UTF-16be"})
    void encodingWhoseOrderIsNotThatOfTheNames_isRefused(String encoding) throws SQLException {
        try (Connection connection = source("").getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA encoding = '" + encoding + "'");
            statement.execute("CREATE TABLE something (number bigint)");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcCounterBackend.create(source(""), OPTIONS))
                .withMessage("the file has the encoding " + encoding + ": use a file with UTF-8");
    }

    /** A journal in memory is lost when the process is killed during the commit, and the file is then damaged. */
    @ParameterizedTest
    @ValueSource(strings = {"DELETE", "MEMORY", "OFF"})
    void transactionOfTheBackend_writesItsLogWhateverTheJournalModeOfTheDataSource(String mode) {
        JdbcCounterBackend backend = JdbcCounterBackend.create(source("?journal_mode=" + mode), OPTIONS);
        try (Counters counters = Counters.over(backend)) {
            List<String> modes = new ArrayList<>();
            backend.transact(IdempotencyToken.random(), tx -> {
                try (Statement statement = tx.connection().createStatement();
                        ResultSet row = statement.executeQuery("PRAGMA journal_mode")) {
                    modes.add(row.getString(1));
                }
                tx.add("likes", 1);
            });
            assertThat(modes).containsExactly("wal");
            assertThat(counters.counter("likes").get()).isEqualTo(1);
        }
    }

    @Test
    void exclusiveLocking_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcCounterBackend.create(source("?locking_mode=EXCLUSIVE"), OPTIONS))
                .withMessage(
                        "the data source sets locking_mode=EXCLUSIVE, and several connections use the file: remove it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"count_changes", "full_column_names"})
    void settingThatChangesResults_isRefused(String setting) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcCounterBackend.create(source("?" + setting + "=true"), OPTIONS))
                .withMessage("the data source sets " + setting
                        + "=true, with which statements have other results: remove it");
    }

    /** Without locks, two connections would damage the file. */
    @ParameterizedTest
    @ValueSource(strings = {"nolock=1", "vfs=unix-none"})
    void fileWithoutLocks_isRefused(String setting) {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:file:" + directory.resolve("counters.db") + "?" + setting);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcCounterBackend.create(source, OPTIONS))
                .withMessageStartingWith(
                        "the file cannot have journal_mode=WAL and stays with delete: remove nolock, immutable and vfs from the URL");
    }

    /** As when the disk is full, SQLite has rolled back already and refuses to do it again. */
    @Test
    void tablesThatCannotBeCreated_nameTheCause() throws SQLException {
        SchemaTest.execute(source(""), "CREATE TABLE counterkit_version (version INTEGER PRIMARY KEY)");
        SchemaTest.execute(
                source(""),
                "CREATE TRIGGER refusal BEFORE INSERT ON counterkit_version"
                        + " BEGIN SELECT RAISE(ROLLBACK, 'no space'); END");
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> JdbcCounterBackend.create(source(""), OPTIONS))
                .withMessageContaining("no space");
    }

    /** Connections with one cache could read what another one has not committed. */
    @Test
    void readOfUncommittedTotals_isTurnedOff() throws SQLException {
        SQLiteDataSource source = SqliteFixture.file(
                Path.of("file:" + directory.resolve("counters.db") + "?cache=shared&read_uncommitted=true"));
        JdbcCounterBackend backend = JdbcCounterBackend.create(source, OPTIONS);
        CountersOptions hasty =
                CountersOptions.builder().deadline(Duration.ofSeconds(3)).build();
        try (Counters counters = Counters.over(backend, hasty);
                Connection connection = Shop.begin(source)) {
            backend.within(connection).add("likes", 5);
            assertThatExceptionOfType(ContentionException.class)
                    .isThrownBy(() -> counters.counter("likes").get());
            connection.rollback();
            assertThat(counters.counter("likes").get()).isZero();
        }
    }

    @Test
    void schema_isRefused() throws SQLException {
        JdbcCounterOptions options =
                JdbcCounterOptions.builder().schema("app").createTables(true).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcCounterBackend.create(source(""), options))
                .withMessage("schema 'app': SQLite has no schemas, remove the option");
        assertThat(SchemaTest.number(source(""), "SELECT count(*) FROM sqlite_master"))
                .isZero();
    }

    @Test
    void journalModeThatNeedsAFileOfItsOwn_isNamed() {
        try (Counters counters = Counters.over(JdbcCounterBackend.create(source(""), OPTIONS))) {
            counters.counter("likes").increment();
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> JdbcCounterBackend.create(source("?journal_mode=DELETE"), OPTIONS))
                    .withMessageStartingWith(
                            "the database cannot be used: the file is locked for a new connection; its URL"
                                    + " may not set another journal mode than WAL: ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm"})
    void logThatIsDeletedWhileOpen_refusesChangesAndLosesNothing(String log) throws IOException {
        try (Counters counters = Counters.over(JdbcCounterBackend.create(source(""), OPTIONS))) {
            counters.counter("likes").add(5);
            Path file = directory.resolve("counters.db" + log);
            Files.delete(file);
            String cause = "was deleted or replaced while it was open: restart all processes";
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> counters.counter("likes").increment())
                    .withMessageContaining(cause);
            Files.createFile(file);
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> counters.counter("likes").get())
                    .withMessageContaining(cause);
        }
        try (Counters restarted = Counters.over(JdbcCounterBackend.create(source(""), OPTIONS))) {
            assertThat(restarted.counter("likes").get()).isEqualTo(5);
        }
    }

    /** Another process creates the log again before this one looks. Its key is not read each time. */
    @Test
    void logThatIsReplacedWhileOpen_refusesChangesSoon() throws IOException {
        try (Counters counters = Counters.over(JdbcCounterBackend.create(source(""), OPTIONS))) {
            counters.counter("likes").add(5);
            Path log = directory.resolve("counters.db-wal");
            Files.delete(log);
            Files.createFile(log);
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> addOften(counters))
                    .withMessageContaining("restart all processes");
        }
    }

    private static void addOften(Counters counters) {
        for (int i = 0; i < 10_000; i++) {
            counters.counter("likes").increment();
        }
    }

    /** Another process would write to a new log, so that reads of the old one would never show a change again. */
    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm"})
    void logThatIsDeletedWhileOpen_refusesReads(String log) throws IOException {
        try (Counters counters = Counters.over(JdbcCounterBackend.create(source(""), OPTIONS))) {
            counters.counter("likes").add(5);
            Files.delete(directory.resolve("counters.db" + log));
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> counters.counter("likes").get())
                    .withMessageContaining("was deleted or replaced while it was open: restart all processes");
        }
    }

    /** A connection that is opened now would have another log than the others. */
    @Test
    void logThatIsDeletedWhileOpen_refusesTransactions() throws IOException {
        JdbcCounterBackend backend = JdbcCounterBackend.create(source(""), OPTIONS);
        try (Counters counters = Counters.over(backend)) {
            counters.counter("likes").add(5);
            Files.delete(directory.resolve("counters.db-wal"));
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> backend.transact(IdempotencyToken.random(), tx -> tx.add("likes", 1)))
                    .withMessageContaining("restart all processes");
        }
    }
}
