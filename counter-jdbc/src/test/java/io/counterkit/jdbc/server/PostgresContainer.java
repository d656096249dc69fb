package io.counterkit.jdbc.server;

import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** A PostgreSQL server in Docker, for a machine without one. Testcontainers ends it with this JVM, and is optional. */
final class PostgresContainer {
    private static final String IMAGE = "postgres:17";

    /** As many as {@link PostgresServer} allows. */
    private static final int CONNECTIONS = 300;

    private PostgresContainer() {}

    /** Starts a server and returns its URL; empty if Testcontainers is not on the class path or Docker does not run. */
    static Optional<String> start() {
        if (!isOnClassPath() || !DockerClientFactory.instance().isDockerAvailable()) {
            return Optional.empty();
        }
        PostgreSQLContainer container =
                new PostgreSQLContainer(IMAGE).withCommand("postgres", "-c", "max_connections=" + CONNECTIONS);
        container.start();
        return Optional.of(
                container.getJdbcUrl() + "&user=" + container.getUsername() + "&password=" + container.getPassword());
    }

    private static boolean isOnClassPath() {
        try {
            Class.forName(
                    "org.testcontainers.postgresql.PostgreSQLContainer",
                    false,
                    PostgresContainer.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
