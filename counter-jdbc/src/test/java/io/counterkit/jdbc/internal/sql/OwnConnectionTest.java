package io.counterkit.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OwnConnectionTest {
    static Stream<Throwable> failures() {
        return Stream.of(
                new SQLException("broken pipe", "08006"),
                new IllegalStateException("broken proxy"),
                new NoClassDefFoundError("of/a/Driver"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void connectionThatFails_isReturned(Throwable failure) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            Connection failing = (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("getAutoCommit")) {
                            throw failure;
                        }
                        return method.invoke(connection, arguments);
                    });

            assertThatThrownBy(() -> OwnConnection.take(() -> failing))
                    .isInstanceOf(StoreFailure.class)
                    .hasCause(failure);
            assertThat(connection.isClosed()).isTrue();
        }
    }
}
