package io.counterkit.cli.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.CounterException;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Logs;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Reasons;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server that the options choose.
 *
 * @param user the user; null for the one in the URL, or else that of this process
 * @param password the password; null for that of the file {@code .pgpass}, or none
 */
record PostgresqlServer(
        String url, @Nullable String user, @Nullable String password) {
    static final String URL_FORM = "jdbc:postgresql://HOST:PORT/DATABASE";

    private static final Pattern PASSWORD_IN_URL = Pattern.compile("[?&]password=", Pattern.CASE_INSENSITIVE);
    private static final int LONGEST_LOGIN_SECONDS = 10;
    private static final long LONGEST_WAIT_MILLIS = 10_000;

    /**
     * Connects, and creates the backend.
     *
     * @throws IllegalArgumentException if the server cannot be used, or lacks the tables; the message is for the user
     */
    OpenBackend open(JdbcCounterOptions options) {
        Logs.quiet("org.postgresql");
        PGSimpleDataSource source = source();
        // Connects without a pool first, since a pool would retry for long.
        try (Connection connection = source.getConnection()) {
            connection.isReadOnly();
        } catch (SQLException e) {
            throw refused(e);
        }
        HikariDataSource pool = pool(source, options.connections());
        try {
            return new OpenServer(JdbcCounterBackend.create(pool, options), pool);
        } catch (RuntimeException e) {
            pool.close();
            throw inWords(e);
        }
    }

    private RuntimeException inWords(RuntimeException e) {
        if (e instanceof CounterException && e.getCause() instanceof SQLException cause) {
            return refused(cause);
        }
        if (e instanceof IllegalStateException) {
            String problem = String.valueOf(e.getMessage());
            return new IllegalArgumentException(
                    problem.replace("set the option createTables", "add --create-tables"), e);
        }
        return e;
    }

    private PGSimpleDataSource source() {
        if (PASSWORD_IN_URL.matcher(url).find()) {
            throw new IllegalArgumentException("--url has a password, which every user of this machine could read: set"
                    + " COUNTERKIT_PASSWORD in the environment instead");
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setUrl(url);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--url " + url + ": use the form " + URL_FORM, e);
        }
        if (user != null) {
            source.setUser(user);
        }
        if (password != null) {
            source.setPassword(password);
        }
        if (source.getLoginTimeout() == 0) {
            source.setLoginTimeout(LONGEST_LOGIN_SECONDS);
        }
        return source;
    }

    /** Opens connections on demand, so that a short command opens one. */
    private static HikariDataSource pool(PGSimpleDataSource source, int connections) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(LONGEST_WAIT_MILLIS);
        return new HikariDataSource(config);
    }

    private IllegalArgumentException refused(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        String advice = state.startsWith("28") || state.equals("08004")
                ? "the server does not accept this user: check --user, and the password in COUNTERKIT_PASSWORD"
                : switch (state) {
                    case "3D000" -> "there is no such database: check its name in --url";
                    case "42501" -> "this user may not use or create the tables: grant it the right to do so";
                    case "25006" -> "the server is read-only, as a standby is: use the primary server";
                    default ->
                        state.startsWith("08")
                                ? "the server cannot be reached: is it running, and is the address right?"
                                : "the server reported an error";
                };
        return new IllegalArgumentException("--url " + url + ": " + advice + " (" + Reasons.inOneLine(e) + ")", e);
    }

    private record OpenServer(CounterBackend backend, HikariDataSource pool) implements OpenBackend {
        @Override
        public void close() {
            pool.close();
        }
    }
}
