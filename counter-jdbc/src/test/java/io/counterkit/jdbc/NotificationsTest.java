package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counters;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.jdbc.server.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Followers of PostgreSQL that wait for notifications: their cadence is an hour, so no poll delivers an entry. */
class NotificationsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final DataSource server = PostgresServer.shared();
    private final String prefix = PostgresFixture.unusedPrefix();
    private final JdbcCounterBackend backend = PostgresFixture.notifying(server, prefix);
    private final Counters counters = Counters.over(backend);
    private final Counters others = Counters.over(PostgresFixture.notifying(server, prefix));
    private final List<Long> numbers = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        counters.close();
        others.close();
        assertThat(failures).isEmpty();
    }

    private Follower follow(Counters process, Duration cadence) {
        return process.sequence("orders")
                .follow(
                        1,
                        FollowOptions.defaults().withCadence(cadence).withFailures(failures::add),
                        entry -> numbers.add(entry.number()));
    }

    /** Waits for the position, and checks that each number was delivered once. */
    private void awaitEach(Follower follower, long position) {
        await().atMost(Duration.ofMinutes(1)).until(() -> follower.position() == position);
        assertThat(numbers)
                .isEqualTo(LongStream.rangeClosed(1, position).boxed().toList());
    }

    /** Returns the sessions that listen. The server shows the last command of each. */
    private List<Long> sessions() throws SQLException {
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN " + prefix + "sequences'")) {
            List<Long> sessions = new CopyOnWriteArrayList<>();
            while (rows.next()) {
                sessions.add(rows.getLong(1));
            }
            return sessions;
        }
    }

    @Test
    void entryOfAnyProcess_arrives() {
        Follower follower = follow(counters, HOUR);
        counters.sequence("orders").next();
        awaitEach(follower, 1);
        for (int i = 2; i <= 5; i++) {
            others.sequence("orders").append(Map.of("i", (long) i));
            awaitEach(follower, i);
        }
        others.sequence("invoices").next();
    }

    @Test
    void entryOfACallersTransaction_arrivesOnceItIsCommitted() throws SQLException {
        Follower follower = follow(counters, HOUR);
        others.sequence("orders").next();
        awaitEach(follower, 1);
        try (Connection connection = Shop.begin(server)) {
            backend.within(connection).append("orders", Map.of());
            connection.commit();
        }
        awaitEach(follower, 2);
    }

    @Test
    void listeningConnectionThatIsKilled_isOpenedAgain() throws SQLException {
        Follower follower = follow(counters, HOUR);
        await().atMost(Duration.ofMinutes(1)).until(() -> sessions().size() == 1);
        long session = sessions().get(0);
        SchemaTest.execute(server, "SELECT pg_terminate_backend(" + session + ")");
        others.sequence("orders").next();
        awaitEach(follower, 1);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> sessions().size() == 1 && sessions().get(0) != session);
        others.sequence("orders").next();
        awaitEach(follower, 2);
    }

    @Test
    void connectionIsOpenOnlyWhileSomethingIsFollowed() throws SQLException {
        assertThat(sessions()).isEmpty();
        Follower one = follow(counters, HOUR);
        Follower two = counters.sequence("invoices").follow(1, entry -> {});
        await().atMost(Duration.ofMinutes(1)).until(() -> sessions().size() == 1);
        two.close();
        others.sequence("orders").next();
        awaitEach(one, 1);
        one.close();
        await().atMost(Duration.ofMinutes(1)).until(() -> sessions().isEmpty());
        numbers.clear();
        Follower later = follow(counters, HOUR);
        await().atMost(Duration.ofMinutes(1)).until(() -> sessions().size() == 1);
        others.sequence("orders").next();
        awaitEach(later, 2);
        counters.close();
        await().atMost(Duration.ofMinutes(1)).until(() -> sessions().isEmpty());
    }

    @Test
    void connectionsOfAnotherDriver_arePolled() throws SQLException {
        try (Counters polling = Counters.over(PostgresFixture.notifying(otherDriver(), prefix))) {
            Follower follower = follow(polling, Duration.ofMillis(20));
            for (int i = 1; i <= 3; i++) {
                others.sequence("orders").next();
                awaitEach(follower, i);
            }
            assertThat(sessions()).isEmpty();
        }
    }

    /** Returns a data source whose connections hide the driver. */
    private DataSource otherDriver() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Connection connection = server.getConnection();
                    return Proxy.newProxyInstance(
                            getClass().getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (hidden, called, parameters) -> {
                                if (called.getName().equals("isWrapperFor")) {
                                    return false;
                                }
                                try {
                                    return called.invoke(connection, parameters);
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                            });
                });
    }
}
