package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A symbolic link to a file, which names another file while the first one is open, and a hard link. */
class SqliteLinkTest {
    @TempDir
    Path directory;

    private Path first;
    private Path second;
    private Path link;
    private JdbcCounterBackend backend;
    private Counters counters;

    @BeforeEach
    void openByALinkThatThenNamesAnotherFile() throws IOException {
        first = create("first.db");
        second = create("second.db");
        link = Files.createSymbolicLink(directory.resolve("counters.db"), first);
        backend = JdbcCounterBackend.create(SqliteFixture.file(link));
        counters = Counters.over(backend);
        counters.counter("likes").add(1);
        Files.delete(link);
        Files.createSymbolicLink(link, second);
    }

    @AfterEach
    void close() {
        counters.close();
    }

    private Path create(String name) {
        Path file = directory.resolve(name);
        JdbcCounterBackend.create(
                        SqliteFixture.file(file),
                        JdbcCounterOptions.builder().createTables(true).build())
                .close();
        return file.toAbsolutePath();
    }

    private long totalIn(Path file) {
        try (Counters reader = Counters.over(JdbcCounterBackend.create(SqliteFixture.file(file)))) {
            return reader.counter("likes").get();
        }
    }

    @Test
    void newConnection_isRefused() {
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> backend.transact(IdempotencyToken.random(), tx -> tx.add("likes", 1)))
                .withMessage("the transaction failed: the connection leads to the file " + second
                        + ", and this backend was created with the file " + first
                        + ": restart if a symbolic link was changed");
        assertThat(totalIn(first)).isEqualTo(1);
        assertThat(totalIn(second)).isZero();
    }

    @Test
    void openConnection_continuesWithItsFile() {
        counters.counter("likes").add(1);

        assertThat(totalIn(first)).isEqualTo(2);
        assertThat(totalIn(second)).isZero();
    }

    @Test
    void transactionOfTheApplicationInTheOtherFile_isRefused() throws SQLException {
        try (Connection connection = Shop.begin(SqliteFixture.file(link))) {
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> backend.within(connection))
                    .withMessageContaining("the connection leads to the file " + second);
            connection.rollback();
        }
    }

    /** Each name would have a log of its own. */
    @Test
    void fileWithTwoNames_isRefused() throws IOException {
        Files.createLink(directory.resolve("third.db"), second);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcCounterBackend.create(SqliteFixture.file(second)))
                .withMessage("the file " + second + " has 2 hard links, and processes that open it by different names"
                        + " would damage it: keep one of them");
    }
}
