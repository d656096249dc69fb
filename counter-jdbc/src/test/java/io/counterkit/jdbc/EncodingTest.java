package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.Counters;
import io.counterkit.jdbc.server.PostgresServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Encodings of a database of PostgreSQL and of its connections, in which names would not stay what they are. */
class EncodingTest {
    private static final String NAME = "вода €";

    private final String database = PostgresFixture.unusedPrefix();
    private final PGSimpleDataSource server = PostgresServer.shared();
    private final JdbcCounterOptions options =
            JdbcCounterOptions.builder().createTables(true).build();

    /** Creates a database and returns a data source that leads to it. */
    private PGSimpleDataSource create(String encoding) throws SQLException {
        SchemaTest.execute(
                server,
                "CREATE DATABASE " + database + " ENCODING '" + encoding
                        + "' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
        PGSimpleDataSource source = PostgresServer.shared();
        source.setDatabaseName(database);
        return source;
    }

    @AfterEach
    void drop() throws SQLException {
        SchemaTest.execute(server, "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
    }

    /** Lists would omit names, since their order there is another one, and a batch would fail because of one name. */
    @Test
    void databaseWithAnotherOrderOfCharacters_isRefused() throws SQLException {
        PGSimpleDataSource source = create("KOI8R");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcCounterBackend.create(source, options))
                .withMessage("the database has the encoding KOI8R: use one with UTF8");
    }

    @Test
    void databaseWithoutAnEncoding_keepsNames() throws SQLException {
        try (Counters counters = Counters.over(JdbcCounterBackend.create(create("SQL_ASCII"), options))) {
            counters.counter(NAME).add(3);
            counters.sequence(NAME).append(Map.of(NAME, NAME));
            assertThat(counters.counter(NAME).get()).isEqualTo(3);
            assertThat(counters.counterNames("в", null, 10).names()).containsExactly(NAME);
            assertThat(counters.sequence(NAME).read(1, 1).get(0).fields()).isEqualTo(Map.of(NAME, NAME));
        }
    }

    /** PostgreSQL has no texts with U+0000. */
    @Test
    void cursorThatIsNoName_isRefused() throws SQLException {
        try (Counters counters = Counters.over(JdbcCounterBackend.create(create("UTF8"), options))) {
            for (String cursor : List.of("", "\u0000", "\ud800")) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> counters.counterNames("", cursor, 10))
                        .withMessageContaining("is not from a page of names");
                assertThatIllegalArgumentException().isThrownBy(() -> counters.sequenceNames("", cursor, 10));
            }
        }
    }

    /** The driver would send other characters than those of a name. */
    @Test
    void connectionsWithAnotherEncoding_areRefused() throws SQLException {
        HikariConfig config = new HikariConfig();
        PGSimpleDataSource source = create("UTF8");
        source.setAllowEncodingChanges(true);
        config.setDataSource(source);
        config.setMaximumPoolSize(1);
        config.setConnectionInitSql("SET client_encoding TO 'LATIN1'");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JdbcCounterBackend.create(pool, options))
                    .withMessage("the data source sets client_encoding=LATIN1, which would change names: remove it, and"
                            + " allowEncodingChanges");
        }
    }
}
