package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.counterkit.ContentionException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.jdbc.SchemaTest.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A data source that wraps the driver's exceptions in its own, which have no state, code or message of the driver. */
@ParameterizedClass
@EnumSource
class WrappedFailuresTest {
    private static final Set<Class<?>> WRAPPED = Set.of(Connection.class, Statement.class, PreparedStatement.class);

    @Parameter
    private Store store = Store.SQLITE;

    @TempDir
    Path directory;

    private final JdbcCounterOptions.Builder options =
            JdbcCounterOptions.builder().tablePrefix(PostgresFixture.unusedPrefix());

    @Test
    void missingTables_areFoundMissing() {
        DataSource source = wrapping(store.source(directory), DataSource.class);
        assertThatExceptionOfType(MissingTablesException.class)
                .isThrownBy(() -> JdbcCounterBackend.create(source, options.build()));
        JdbcCounterBackend.create(source, options.createTables(true).build()).close();
    }

    @Test
    void storedTokens_areFound() throws SQLException {
        DataSource source = wrapping(store.source(directory), DataSource.class);
        JdbcCounterBackend backend =
                JdbcCounterBackend.create(source, options.createTables(true).build());
        try (Counters counters = Counters.over(backend)) {
            IdempotencyToken token = IdempotencyToken.random();
            counters.counter("likes").add(3, token);
            counters.counter("likes").add(3, token);
            assertThat(counters.counter("likes").get()).isEqualTo(3);
            try (Connection connection = source.getConnection()) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> backend.within(connection))
                        .withMessageContaining("autocommit mode");
            }
        }
    }

    @Test
    void lock_isContention() throws SQLException {
        DataSource source = wrapping(store.source(directory), DataSource.class);
        JdbcCounterBackend backend =
                JdbcCounterBackend.create(source, options.createTables(true).build());
        CountersOptions hasty =
                CountersOptions.builder().deadline(Duration.ofSeconds(3)).build();
        try (Counters counters = Counters.over(backend, hasty);
                Connection open = Shop.begin(source)) {
            backend.within(open).add("likes", 1);
            assertThatExceptionOfType(ContentionException.class)
                    .isThrownBy(() -> counters.counter("likes").add(1));
            open.rollback();
        }
    }

    private static <T> T wrapping(T target, Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                WrappedFailuresTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(target, arguments);
                        return WRAPPED.contains(method.getReturnType())
                                ? wrapped(result, method.getReturnType())
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause() instanceof SQLException failure
                                ? new SQLException("wrapped by a data source", failure)
                                : e.getCause();
                    }
                }));
    }

    private static <T> T wrapped(Object result, Class<T> type) {
        return wrapping(type.cast(result), type);
    }
}
