package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.CorruptDataException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteDataSource;

/** Rows that others wrote or changed are reported, and never read as 0 (rule 7.9). */
class SqliteForeignDataTest {
    @TempDir
    Path directory;

    private SQLiteDataSource source;
    private Counters counters;

    @BeforeEach
    void open() {
        source = SqliteFixture.file(directory.resolve("counters.db"));
        counters = Counters.over(JdbcCounterBackend.create(
                source, JdbcCounterOptions.builder().createTables(true).build()));
    }

    @AfterEach
    void close() {
        counters.close();
    }

    @Test
    void totalThatIsNoInteger_isRefusedByTheTable() {
        counters.counter("likes").add(1);
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> SchemaTest.execute(source, "UPDATE counterkit_counters SET total = 'many'"));
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> SchemaTest.execute(source, "UPDATE counterkit_counters SET total = 1.5"));
    }

    @Test
    void fieldsThatCannotBeRead_areReported() throws SQLException {
        counters.sequence("orders").append(Map.of("customer", "c-17"));
        for (String fields : new String[] {"x''", "x'02'", "x'01'", "x'0101'", "x'0101ffffffff'", "x'0100ff'"}) {
            SchemaTest.execute(source, "UPDATE counterkit_entries SET fields = " + fields);
            assertThatExceptionOfType(CorruptDataException.class)
                    .as(fields)
                    .isThrownBy(() -> counters.sequence("orders").read(1, 1))
                    .withMessageStartingWith("the fields of entry 1 of 'orders' cannot be read: ");
        }
    }

    @Test
    void changeThatIsUnknown_isReported() throws SQLException {
        counters.sequence("orders").next();
        SchemaTest.execute(source, "UPDATE counterkit_entries SET change = 'moved'");
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> counters.sequence("orders").read(1, 1))
                .withMessage("entry 1 of 'orders' has the unknown change 'moved'");
    }

    @Test
    void tokenOfAnUnknownKind_isReportedAndNothingIsAdded() throws SQLException {
        IdempotencyToken token = IdempotencyToken.random();
        counters.counter("likes").add(1, token);
        SchemaTest.execute(source, "UPDATE counterkit_tokens SET kind = 'moved'");
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> counters.counter("likes").add(1, token))
                .withMessage("a token of 'likes' has the unknown kind 'moved'");
        assertThat(counters.counter("likes").get()).isEqualTo(1);
    }

    @Test
    void entryOfAnotherWriter_isReportedAndKept() throws SQLException {
        counters.sequence("orders").next();
        SchemaTest.execute(
                source,
                "INSERT INTO counterkit_entries SELECT sequence, 2, appended_at, change, subject, fields, live, erased"
                        + " FROM counterkit_entries");
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> counters.sequence("orders").next())
                .withMessage("'orders' ends at 1 and has later entries");
        assertThat(counters.sequence("orders").last()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"last, 9223372036854775807", "live, 9223372036854775807", "last, -1"})
    void sequenceWhoseNextNumberIsOutOfRange_isReportedAndKept(String column, long value) throws SQLException {
        counters.sequence("orders").next();
        SchemaTest.execute(source, "UPDATE counterkit_sequences SET " + column + " = " + value);
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> counters.sequence("orders").next());
        assertThat(SchemaTest.number(source, "SELECT " + column + " FROM counterkit_sequences"))
                .isEqualTo(value);
    }

    @Test
    void totalOutsideTheRangeOfTheColumn_staysAnErrorUntilAReset() throws SQLException {
        counters.counter("likes").add(1);
        SchemaTest.execute(source, "UPDATE counterkit_counters SET total = 9223372036854775806");
        counters.counter("likes").add(2);
        counters.counter("likes").add(-100);
        assertThat(SchemaTest.number(source, "SELECT total FROM counterkit_counters"))
                .isEqualTo(Long.MAX_VALUE);
        counters.counter("likes").reset();
        counters.counter("likes").add(5);
        assertThat(counters.counter("likes").get()).isEqualTo(5);
    }
}
