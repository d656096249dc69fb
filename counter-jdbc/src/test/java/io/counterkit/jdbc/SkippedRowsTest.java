package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.jdbc.SchemaTest.Store;
import io.counterkit.jdbc.server.PostgresServer;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Futures;
import io.counterkit.spi.ImportedState;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Rows that the database does not write, because of a trigger, or hides, by row level security. */
class SkippedRowsTest {
    private static final String CAUSE = "the database skips rows of CounterKit's tables, or hides them from the user";

    private static final CountersOptions PATIENT =
            CountersOptions.builder().deadline(Duration.ofMinutes(1)).build();

    @TempDir
    Path directory;

    private final String prefix = PostgresFixture.unusedPrefix();
    private final JdbcCounterOptions options =
            JdbcCounterOptions.builder().tablePrefix(prefix).createTables(true).build();

    /** A change, in words. */
    record Attempt(String words, Action action) {
        @Override
        public String toString() {
            return words;
        }
    }

    interface Action {
        void run(Counters counters, JdbcCounterBackend backend) throws Exception;
    }

    static Stream<Arguments> changes() {
        Attempt add = new Attempt(
                "add", (counters, backend) -> counters.counter("old").increment());
        Attempt addWithToken = new Attempt(
                "add with a token",
                (counters, backend) -> counters.counter("old").add(1, IdempotencyToken.random()));
        Attempt addWithin = new Attempt(
                "add within a transaction",
                (counters, backend) -> backend.transact(IdempotencyToken.random(), tx -> tx.add("old", 1)));
        Attempt reset = new Attempt(
                "reset", (counters, backend) -> counters.counter("old").reset());
        Attempt delete = new Attempt(
                "delete", (counters, backend) -> counters.counter("old").delete());
        Attempt seal = new Attempt(
                "seal", (counters, backend) -> counters.counter("old").seal("elsewhere"));
        Attempt next = new Attempt(
                "append", (counters, backend) -> counters.sequence("old").next());
        Attempt first = new Attempt(
                "first append", (counters, backend) -> counters.sequence("new").next());
        Attempt subject = new Attempt(
                "append with a subject",
                (counters, backend) -> counters.sequence("old").append(Change.ADDED, "another", Map.of()));
        Attempt appendWithin = new Attempt(
                "append within a transaction",
                (counters, backend) -> backend.transact(IdempotencyToken.random(), tx -> tx.append("old", Map.of())));
        Attempt erase = new Attempt(
                "erase", (counters, backend) -> counters.sequence("old").erase(1));
        Attempt importBase = new Attempt(
                "import",
                (counters, backend) -> Futures.join(backend.migration()
                        .importBase(
                                Kind.COUNTER,
                                "new",
                                new ImportedState("there", true, 5, 0),
                                new Call(Duration.ofMinutes(1), CountersListener.disabled()))));
        Map<String, List<Attempt>> attempts = Map.of(
                "tokens",
                List.of(add, addWithToken, reset, delete, seal, next, first, subject, erase, addWithin, appendWithin),
                "counters",
                List.of(add, addWithToken, addWithin, reset, delete, seal),
                "sequences",
                List.of(next, first, subject, appendWithin),
                "entries",
                List.of(next, first, subject, appendWithin, erase),
                "subjects",
                List.of(subject),
                "imports",
                List.of(importBase));
        return Stream.of(Store.values())
                .flatMap(store -> attempts.entrySet().stream()
                        .flatMap(table -> table.getValue().stream()
                                .map(attempt -> Arguments.of(store, table.getKey(), attempt))));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void changeWhoseRowsATriggerSkips_isNotAppliedAndNamesTheCause(Store store, String table, Attempt change)
            throws SQLException {
        DataSource source = store.source(directory);
        JdbcCounterBackend backend = JdbcCounterBackend.create(source, options);
        try (Counters counters = Counters.over(backend, PATIENT)) {
            counters.counter("old").add(5);
            counters.sequence("old").append(Change.ADDED, "one", Map.of());
            skipRows(store, source, table);
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> change.action.run(counters, backend))
                    .withMessageContaining(CAUSE);
            assertThat(counters.counter("old").get()).isEqualTo(5);
            assertThat(counters.sequence("old").read(1, 10)).hasSize(1).noneMatch(entry -> entry.erased());
            assertThat(counters.sequence("old").last()).isEqualTo(1);
            assertThat(counters.sequence("new").last()).isZero();
        }
    }

    private void skipRows(Store store, DataSource source, String table) throws SQLException {
        if (store == Store.POSTGRESQL) {
            SchemaTest.execute(
                    source,
                    "CREATE FUNCTION " + prefix
                            + "skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
            SchemaTest.execute(
                    source,
                    "CREATE TRIGGER skip BEFORE INSERT OR UPDATE OR DELETE ON " + prefix + table
                            + " FOR EACH ROW EXECUTE FUNCTION " + prefix + "skip()");
            return;
        }
        for (String event : List.of("INSERT", "UPDATE", "DELETE")) {
            SchemaTest.execute(
                    source,
                    "CREATE TRIGGER skip_" + event + " BEFORE " + event + " ON " + prefix + table
                            + " BEGIN SELECT RAISE(IGNORE); END");
        }
    }

    /** Each user sees its own tokens, and two share one by mistake. */
    @Test
    void tokenThatRowLevelSecurityHides_isReported() throws SQLException {
        PGSimpleDataSource owner = PostgresServer.shared();
        JdbcCounterBackend.create(owner, options).close();
        SchemaTest.execute(owner, "ALTER TABLE " + prefix + "tokens ADD owner text DEFAULT current_user");
        SchemaTest.execute(owner, "ALTER TABLE " + prefix + "tokens ENABLE ROW LEVEL SECURITY");
        SchemaTest.execute(
                owner, "CREATE POLICY own ON " + prefix + "tokens USING (owner = current_user) WITH CHECK (true)");
        IdempotencyToken token = IdempotencyToken.random();
        try (Counters first = Counters.over(JdbcCounterBackend.create(user(owner, "one"), options), PATIENT);
                Counters second = Counters.over(JdbcCounterBackend.create(user(owner, "two"), options), PATIENT)) {
            first.counter("likes").add(1, token);
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> second.counter("likes").add(1, token))
                    .withMessageContaining(CAUSE);
            assertThatExceptionOfType(CounterException.class)
                    .isThrownBy(() -> second.resolve(token))
                    .withMessageContaining(CAUSE);
            assertThat(second.counter("likes").get()).isEqualTo(1);
        } finally {
            SchemaTest.execute(owner, "DROP OWNED BY " + prefix + "one, " + prefix + "two");
            SchemaTest.execute(owner, "DROP ROLE " + prefix + "one, " + prefix + "two");
        }
    }

    /** Returns a data source whose user may use the tables, and is subject to row level security. */
    private PGSimpleDataSource user(PGSimpleDataSource owner, String name) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(owner.getURL());
        source.setUser(prefix + name);
        SchemaTest.execute(owner, "CREATE ROLE " + prefix + name + " LOGIN");
        for (String table : List.of("counters", "tokens", "version")) {
            SchemaTest.execute(
                    owner, "GRANT SELECT, INSERT, UPDATE, DELETE ON " + prefix + table + " TO " + prefix + name);
        }
        return source;
    }
}
