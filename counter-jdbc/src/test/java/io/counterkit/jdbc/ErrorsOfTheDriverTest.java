package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.TransactionResult;
import io.counterkit.jdbc.SchemaTest.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Errors, such as of a class that is missing, that a driver or a pool throws instead of exceptions. */
@ParameterizedClass
@EnumSource
class ErrorsOfTheDriverTest {
    private static final String ERROR = "of/a/Driver";

    @Parameter
    private Store store = Store.SQLITE;

    @TempDir
    Path directory;

    private final AtomicBoolean failsToConnect = new AtomicBoolean();
    private final AtomicBoolean failsAfterCommit = new AtomicBoolean();
    private Shop shop;
    private JdbcCounterBackend backend;
    private Counters counters;

    @BeforeEach
    void open() throws SQLException {
        shop = new Shop(store, directory);
        backend = JdbcCounterBackend.create(disturbed(shop.source));
        counters = Counters.over(backend);
    }

    @AfterEach
    void close() {
        counters.close();
        shop.backend.close();
    }

    private DataSource disturbed(DataSource source) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (failsToConnect.get()) {
                        throw new NoClassDefFoundError(ERROR);
                    }
                    Object result = method.invoke(source, arguments);
                    return result instanceof Connection connection ? disturbed(connection) : result;
                });
    }

    private Connection disturbed(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    Object result;
                    try {
                        result = method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                    if (method.getName().equals("commit") && failsAfterCommit.getAndSet(false)) {
                        throw new NoClassDefFoundError(ERROR);
                    }
                    return result;
                });
    }

    @Test
    void errorOfConnecting_isReportedAsNotApplied() {
        failsToConnect.set(true);
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> counters.counter(shop.name).add(1))
                .withMessageContaining("no connection to the database: " + ERROR);
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> backend.transact(IdempotencyToken.random(), shop::order))
                .withMessageContaining("no connection to the database: " + ERROR);
        failsToConnect.set(false);
        assertThat(counters.counter(shop.name).get()).isZero();
    }

    /** The driver has committed: the transaction must not be reported as failed. */
    @Test
    void errorAfterTheCommit_doesNotHideItsOutcome() throws SQLException {
        failsAfterCommit.set(true);
        IdempotencyToken token = IdempotencyToken.random();
        assertThat(backend.transact(token, shop::order)).isEqualTo(new TransactionResult(List.of(1L), true));
        assertThat(shop.orders()).isEqualTo(1);
        assertThat(counters.counter(shop.name).get()).isEqualTo(3);
    }
}
