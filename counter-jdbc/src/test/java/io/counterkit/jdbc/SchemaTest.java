package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.jdbc.server.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

/** The tables: who creates them, their version, their names, and their tokens. */
class SchemaTest {
    @TempDir
    Path directory;

    private final String prefix = PostgresFixture.unusedPrefix();

    enum Store {
        POSTGRESQL("postgresql-1.sql"),
        SQLITE("sqlite-1.sql");

        private final String file;

        Store(String file) {
            this.file = file;
        }

        DataSource source(Path directory) {
            return this == POSTGRESQL ? PostgresServer.shared() : SqliteFixture.file(directory.resolve("counters.db"));
        }
    }

    private JdbcCounterOptions.Builder options() {
        return JdbcCounterOptions.builder().tablePrefix(prefix);
    }

    @ParameterizedTest
    @EnumSource
    void missingTables_areReportedWithTheFileThatCreatesThem(Store store) {
        assertThatExceptionOfType(MissingTablesException.class)
                .isThrownBy(() -> JdbcCounterBackend.create(
                        store.source(directory), options().build()))
                .withMessage("the tables '" + prefix + "*' are missing: create them with counterkit-sql/" + store.file
                        + " of the jar, or set the option createTables");
    }

    @ParameterizedTest
    @EnumSource
    void fileOfTheJar_createsTheTables(Store store) throws Exception {
        DataSource source = store.source(directory);
        try (var file = Objects.requireNonNull(getClass().getResourceAsStream("/counterkit-sql/" + store.file))) {
            String sql = new String(file.readAllBytes(), StandardCharsets.UTF_8).replace("counterkit_", prefix);
            for (String statement : Stream.of(sql.split(";", -1))
                    .filter(part -> !part.isBlank())
                    .toList()) {
                execute(source, statement);
            }
        }
        try (Counters counters =
                Counters.over(JdbcCounterBackend.create(source, options().build()))) {
            counters.counter("likes").add(2);
            assertThat(counters.counter("likes").get()).isEqualTo(2);
        }
    }

    /** An open transaction of an application has a token. A process that starts meanwhile must not wait for it. */
    @ParameterizedTest
    @EnumSource
    void tablesThatExist_areNotCreatedAgain(Store store) throws Exception {
        Shop shop = new Shop(store, directory);
        try (Connection open = Shop.begin(shop.source)) {
            shop.backend.within(open, IdempotencyToken.random()).add(shop.name, 1);
            JdbcCounterOptions options =
                    JdbcCounterOptions.builder().createTables(true).build();
            CompletableFuture<?> start = CompletableFuture.runAsync(
                    () -> JdbcCounterBackend.create(shop.source, options).close(),
                    creation -> new Thread(creation).start());
            try {
                assertThat(start).succeedsWithin(Duration.ofSeconds(20));
            } finally {
                open.rollback();
            }
        } finally {
            shop.backend.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void tables_areCreatedOnConnectionsThatDoNotCommitByThemselves(Store store) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(store.source(directory));
        config.setAutoCommit(false);
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        try (HikariDataSource pool = new HikariDataSource(config);
                Counters counters = Counters.over(JdbcCounterBackend.create(
                        pool, options().createTables(true).build()))) {
            counters.counter("likes").add(2);
            assertThat(counters.counter("likes").get()).isEqualTo(2);
        }
    }

    @Test
    void missingPrivilege_isReportedAsSuch() throws Exception {
        PGSimpleDataSource server = PostgresServer.shared();
        String role = prefix + "role";
        String schema = prefix + "closed";
        execute(server, "CREATE ROLE " + role + " LOGIN");
        execute(server, "CREATE SCHEMA " + schema);
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.getUrl());
        source.setUser(role);
        try {
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> JdbcCounterBackend.create(
                            source, options().schema(schema).createTables(true).build()))
                    .withMessageStartingWith("the database cannot be used: the user lacks a privilege: ERROR:"
                            + " permission denied for schema " + schema);
        } finally {
            execute(server, "DROP SCHEMA " + schema);
            execute(server, "DROP ROLE " + role);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tablesOfALaterVersion_areRefused(Store store) throws Exception {
        DataSource source = store.source(directory);
        JdbcCounterBackend.create(source, options().createTables(true).build()).close();
        execute(source, "UPDATE " + prefix + "version SET version = 2");
        assertThatIllegalStateException()
                .isThrownBy(() -> JdbcCounterBackend.create(source, options().build()))
                .withMessage("the tables '" + prefix + "*' have version 2, and this program needs version 1:"
                        + " update the program");
    }

    @ParameterizedTest
    @EnumSource
    void prefixes_keepCountersAndTokensApart(Store store) {
        DataSource source = store.source(directory);
        IdempotencyToken token = IdempotencyToken.random();
        try (Counters some = Counters.over(JdbcCounterBackend.create(
                        source, options().createTables(true).build()));
                Counters others = Counters.over(JdbcCounterBackend.create(
                        source,
                        JdbcCounterOptions.builder()
                                .tablePrefix("o" + prefix)
                                .createTables(true)
                                .build()))) {
            some.counter("likes").add(1, token);
            others.counter("likes").add(2, token);
            assertThat(some.counter("likes").get()).isEqualTo(1);
            assertThat(others.counter("likes").get()).isEqualTo(2);
        }
    }

    @Test
    void schemaOfPostgres_hasTheTables() throws Exception {
        DataSource source = PostgresServer.shared();
        String schema = prefix + "schema";
        execute(source, "CREATE SCHEMA " + schema);
        JdbcCounterOptions options =
                JdbcCounterOptions.builder().schema(schema).createTables(true).build();
        try (Counters counters = Counters.over(JdbcCounterBackend.create(source, options))) {
            counters.counter("likes").add(3);
        }
        assertThat(number(source, "SELECT total FROM " + schema + ".counterkit_counters"))
                .isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void expiredTokens_arePurgedByThemselves(Store store) throws Exception {
        DataSource source = store.source(directory);
        JdbcCounterOptions options =
                options().createTables(true).purgeInterval(Duration.ofMillis(1)).build();
        try (Counters counters = Counters.over(JdbcCounterBackend.create(source, options))) {
            for (int i = 0; i < 20; i++) {
                counters.counter("likes").add(1, IdempotencyToken.random());
            }
            execute(source, "UPDATE " + prefix + "tokens SET expires = 0");
            IdempotencyToken kept = IdempotencyToken.random();
            counters.counter("likes").add(1, kept);
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                counters.counter("likes").add(0);
                return number(source, "SELECT count(*) FROM " + prefix + "tokens WHERE expires = 0") == 0;
            });
            counters.counter("likes").add(1, kept);
            assertThat(counters.counter("likes").get()).isEqualTo(21);
        }
    }

    @ParameterizedTest
    @EnumSource
    void purge_deletesExpiredTokensOnly(Store store) throws Exception {
        DataSource source = store.source(directory);
        JdbcCounterBackend backend =
                JdbcCounterBackend.create(source, options().createTables(true).build());
        try (Counters counters = Counters.over(backend)) {
            IdempotencyToken token = IdempotencyToken.random();
            counters.counter("likes").add(1, token);
            assertThat(backend.purgeTokens().join()).isZero();
            execute(source, "UPDATE " + prefix + "tokens SET expires = 0");
            assertThat(backend.purgeTokens().join()).isEqualTo(1);
        }
    }

    @Test
    void wrongOptions_areRefusedWithTheirValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options().tablePrefix("My-Tables"))
                .withMessage("table prefix 'My-Tables': use 1 to 30 characters of a to z, 0 to 9 and _, the first one"
                        + " not a digit");
        for (String reserved : List.of("pg_", "sqlite_mine_")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> options().tablePrefix(reserved))
                    .withMessage("table prefix '" + reserved
                            + "': the names of system tables start with pg_ and sqlite_, so use another prefix");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options().schema("a\"b"))
                .withMessageContaining("schema 'a\"b'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options().connections(0))
                .withMessage("connections 0: use 1 to 100");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options().tokenRetention(Duration.ofMinutes(1)))
                .withMessageContaining("token retention 1 min");
    }

    @Test
    void sqliteInMemory_isRefused() {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite::memory:");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcCounterBackend.create(source))
                .withMessage("the data source leads to SQLite in memory: use a file, jdbc:sqlite:PATH");
    }

    @Test
    void databaseThatCannotBeReached_isReported() {
        DataSource source = SqliteFixture.file(directory.resolve("missing").resolve("counters.db"));
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> JdbcCounterBackend.create(source))
                .withMessageStartingWith(
                        "the database cannot be used: the file cannot be opened; its directory must exist"
                                + " and be writable: ");
    }

    static void execute(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String text(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    static long number(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
