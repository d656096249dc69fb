package io.counterkit.jdbc.internal.sql;

import io.counterkit.spi.Call;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends statements to PostgreSQL. The first one of a transaction also sets its time limits, and makes its commit
 * durable if the server's default is not; with autocommit, each one does. Several inserts share a round trip.
 */
final class PostgresSession implements Session {
    /**
     * A transaction that is idle for this long belongs to a stopped process, since no application code runs between
     * statements.
     */
    private static final long LONGEST_REST_MILLIS = 2_000;

    private static final String DURABLE =
            " set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'"
                    + " ELSE current_setting('synchronous_commit') END, true)";

    /** A setting of a transaction that the backend has begun. */
    private static final String BEGUN = "counterkit.transaction";

    /** A condition that is true only in a transaction of {@link #begin}. */
    static final String IS_BEGUN = "current_setting('" + BEGUN + "', true) = 'begun'";

    private static final String IS_STANDBY = "is_standby";

    /**
     * A statement before the first one. It returns no texts: with {@code stringtype=unspecified} the driver commits a
     * statement whose results may be long before it sends the next one, which would then have no limits.
     */
    static final String LIMITS = "SELECT set_config('statement_timeout', ?, true) IS NOT NULL,"
            + " set_config('lock_timeout', ?, true) IS NOT NULL,"
            + " set_config('idle_in_transaction_session_timeout', ?, true) IS NOT NULL," + DURABLE
            + " IS NOT NULL, pg_is_in_recovery() AS " + IS_STANDBY + "; ";

    /**
     * The time limit of a statement, since a transaction of the application can wait for another one of the same
     * application, a deadlock that PostgreSQL cannot detect.
     */
    private static final int SECONDS_WITHIN = 20;

    private final Connection connection;
    private final PostgresTexts texts;
    private final @Nullable Call call;
    private boolean isLimited;

    private PostgresSession(Connection connection, PostgresTexts texts, @Nullable Call call) {
        this.connection = connection;
        this.texts = texts;
        this.call = call;
    }

    /** Returns a session whose transaction ends with the call. */
    static PostgresSession of(Connection connection, PostgresTexts texts, Call call) {
        return new PostgresSession(connection, texts, call);
    }

    /** Returns a session in a transaction of the application, whose limits and durability are not changed. */
    static PostgresSession within(Connection connection, PostgresTexts texts) {
        return new PostgresSession(connection, texts, null);
    }

    /**
     * Begins a transaction, and marks it with a setting that ends with it. Makes its commit durable if the default is
     * not.
     */
    static void begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT set_config('" + BEGUN + "', 'begun', true)," + DURABLE);
        }
    }

    @Override
    public <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... parameters) throws SQLException {
        try (SentStatement sent = send(Parameters.expand(sql, parameters), parameters);
                ResultSet rows = sent.statement.getResultSet()) {
            return Parameters.read(rows, reader);
        }
    }

    @Override
    public int update(String sql, @Nullable Object... parameters) throws SQLException {
        try (SentStatement sent = send(Parameters.expand(sql, parameters), parameters)) {
            return sent.statement.getUpdateCount();
        }
    }

    @Override
    public List<Set<String>> insert(List<Rows> groups) throws SQLException {
        @Nullable Object[] parameters = {};
        for (Rows group : groups) {
            if (!group.values().isEmpty()) {
                parameters = Parameters.join(parameters, parameters(group));
            }
        }
        List<Set<String>> written = new ArrayList<>();
        try (SentStatement sent = send(texts.insert(groups), parameters)) {
            for (Rows group : groups) {
                if (group.values().isEmpty()) {
                    written.add(Set.of());
                    continue;
                }
                try (ResultSet rows = sent.statement.getResultSet()) {
                    written.add(new HashSet<>(Parameters.read(rows, row -> row.getString(1))));
                }
                sent.statement.getMoreResults();
            }
        }
        return written;
    }

    /**
     * Sends one statement, which writes nothing or fails if a row cannot be written. So it can be a transaction of its
     * own.
     */
    @Override
    public void insertAll(List<Rows> groups) throws SQLException {
        @Nullable Object[] parameters = {};
        @Nullable Object[] sizeBefore = {};
        for (Rows group : groups) {
            parameters = Parameters.join(Parameters.join(parameters, parameters(group)), sizeBefore);
            sizeBefore = new @Nullable Object[] {(long) group.values().size()};
        }
        parameters = Parameters.join(parameters, sizeBefore);
        if (query(texts.insertAll(groups), row -> row.getLong(1), parameters).get(0) == 0) {
            throw new IncompleteException();
        }
    }

    /** Returns the values of one row, or an array for each column of several. */
    private static @Nullable Object[] parameters(Rows group) {
        if (group.isOne()) {
            return group.values().get(0);
        }
        List<Insert.Column> columns = group.insert().columns();
        @Nullable Object[] arrays = new Object[columns.size()];
        for (int i = 0; i < arrays.length; i++) {
            arrays[i] = Parameters.column(group.values(), i, columns.get(i).type().type);
        }
        return arrays;
    }

    /** Sends a statement and moves to its first result. */
    private SentStatement send(String sql, @Nullable Object... parameters) throws SQLException {
        Call limited = isLimited ? null : call;
        SentStatement sent = new SentStatement(connection.prepareStatement(limited == null ? sql : texts.limited(sql)));
        try {
            int first = 1;
            if (call == null
                    && sent.statement.getQueryTimeout() == 0) { // or a framework has set that of its transaction
                sent.statement.setQueryTimeout(SECONDS_WITHIN);
            }
            if (limited != null) {
                long millis = Math.max(10, limited.remaining().toMillis());
                long margin = Transactions.margin(Duration.ofMillis(millis)).toMillis();
                sent.statement.setString(first++, String.valueOf(millis - margin));
                // Shorter, so that a statement that waits for one lock fails with the error that says so.
                sent.statement.setString(first++, String.valueOf(millis - margin - margin / 2));
                sent.statement.setString(first++, String.valueOf(Math.min(millis, LONGEST_REST_MILLIS)));
            }
            Parameters.set(sent.statement, first, parameters);
            sent.statement.execute();
            isLimited = !connection.getAutoCommit(); // the limits end with the transaction
            if (limited != null) {
                checkIsPrimary(sent.statement);
                sent.statement.getMoreResults();
            }
            return sent;
        } catch (SQLException | RuntimeException e) {
            sent.close();
            throw e;
        }
    }

    /** A standby lags, and answers reads only. */
    private static void checkIsPrimary(PreparedStatement statement) throws SQLException {
        try (ResultSet settings = statement.getResultSet()) {
            if (settings.next() && settings.getBoolean(IS_STANDBY)) {
                throw new SQLException("the server is in recovery", PostgresErrors.READ_ONLY);
            }
        }
    }

    private record SentStatement(PreparedStatement statement) implements AutoCloseable {
        @Override
        public void close() throws SQLException {
            statement.close();
        }
    }
}
