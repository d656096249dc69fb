package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.jdbc.SchemaTest.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection that loses a reply, and throws the same exception object from each later call. */
class RepeatedExceptionTest {
    @TempDir
    Path directory;

    private final AtomicReference<String> losing = new AtomicReference<>("");
    private Shop shop;
    private JdbcCounterBackend backend;
    private Counters counters;

    @BeforeEach
    void open() throws SQLException {
        shop = new Shop(Store.POSTGRESQL, directory);
        backend = JdbcCounterBackend.create(proxy(
                DataSource.class,
                (method, result) -> result instanceof Connection connection ? failing(connection) : result,
                shop.source));
        counters = Counters.over(backend);
    }

    @AfterEach
    void close() {
        counters.close();
        shop.backend.close();
    }

    private interface Answer {
        Object answer(String method, Object result) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Answer answer, T target) {
        return type.cast(Proxy.newProxyInstance(
                RepeatedExceptionTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object result;
                    try {
                        result = method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                    return answer.answer(method.getName(), result);
                }));
    }

    private Connection failing(Connection connection) {
        SQLException failure = new SQLException("broken pipe", "08006");
        AtomicBoolean isBroken = new AtomicBoolean();
        Answer failing = (method, result) -> {
            String lost = losing.get();
            if (!lost.isEmpty() && method.startsWith(lost) && losing.compareAndSet(lost, "")) {
                isBroken.set(true);
            }
            if (isBroken.get() && !method.equals("close")) {
                throw failure;
            }
            return result;
        };
        return proxy(
                Connection.class,
                (method, result) -> {
                    Object answer = failing.answer(method, result);
                    return answer instanceof PreparedStatement statement
                            ? proxy(PreparedStatement.class, failing, statement)
                            : answer;
                },
                connection);
    }

    @ParameterizedTest
    @ValueSource(strings = {"execute", "commit", "getAutoCommit", "setAutoCommit", "prepareStatement"})
    void lostReply_isDecidedByTheToken(String lost) throws SQLException {
        counters.sequence(shop.name).next();
        losing.set(lost);
        counters.counter(shop.name).add(3);
        assertThat(counters.counter(shop.name).get()).isEqualTo(3);
        losing.set(lost);
        assertThat(counters.sequence(shop.name).next()).isEqualTo(2);
        losing.set(lost);
        backend.transact(IdempotencyToken.random(), shop::order);
        losing.set("");
        assertThat(shop.orders()).isEqualTo(1);
        assertThat(counters.counter(shop.name).get()).isEqualTo(6);
        assertThat(counters.sequence(shop.name).last()).isEqualTo(3);
    }
}
