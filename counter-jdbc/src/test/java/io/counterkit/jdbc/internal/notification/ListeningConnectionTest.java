package io.counterkit.jdbc.internal.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.jdbc.server.KeptConnection;
import io.counterkit.jdbc.server.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class ListeningConnectionTest {
    /** The waits are longer than a session of this role may be idle. */
    @Test
    void sessionThatListens_mayBeIdle_untilItIsReturned() throws SQLException {
        PGSimpleDataSource source = PostgresServer.shared();
        source.setOptions("-c idle_session_timeout=2000");
        try (Connection only = source.getConnection()) {
            ListeningConnection listening = ListeningConnection.open(KeptConnection.pool(only));
            listening.listen(Set.of("orders"));
            for (int seconds = 0; seconds < 4; seconds++) {
                assertThat(listening.await()).isEmpty();
            }
            listening.release();
            try (Statement statement = only.createStatement();
                    ResultSet row = statement.executeQuery("SHOW idle_session_timeout")) {
                assertThat(row.next()).isTrue();
                assertThat(row.getString(1)).isEqualTo("2s");
            }
        }
    }
}
