package io.counterkit.jdbc;

import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link JdbcCounterBackend}. Processes that share counters must have the same schema and table prefix,
 * and should have the same retention. Immutable.
 */
public final class JdbcCounterOptions {
    private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    private static final Pattern PREFIX = Pattern.compile("[a-z_][a-z0-9_]{0,29}");
    private static final int MAX_CONNECTIONS = 100;

    private final Builder values;

    private JdbcCounterOptions(Builder values) {
        this.values = values;
    }

    /** Returns the default options, which the methods of {@link Builder} document. */
    public static JdbcCounterOptions defaults() {
        return builder().build();
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the schema that has the tables, or null. */
    public @Nullable String schema() {
        return values.schema;
    }

    /** Returns the prefix of the tables' names. */
    public String tablePrefix() {
        return values.tablePrefix;
    }

    /** Returns whether the tables are created at the start if they are missing. */
    public boolean createTables() {
        return values.createTables;
    }

    /** Returns the maximum number of connections in use at once. */
    public int connections() {
        return values.connections;
    }

    /** Returns how long a token is remembered. */
    public Duration tokenRetention() {
        return values.tokenRetention;
    }

    /** Returns how often expired tokens are deleted. */
    public Duration purgeInterval() {
        return values.purgeInterval;
    }

    /** Returns whether changes notify watches and followers. */
    public boolean notifications() {
        return values.notifications;
    }

    /** Builds options. Each method checks its argument. Not thread-safe. */
    public static final class Builder {
        private @Nullable String schema;
        private String tablePrefix = "counterkit_";
        private boolean createTables;
        private int connections = 8;
        private Duration tokenRetention = Duration.ofHours(24);
        private Duration purgeInterval = Duration.ofMinutes(1);
        private boolean notifications;

        private Builder() {}

        private Builder(Builder other) {
            schema = other.schema;
            tablePrefix = other.tablePrefix;
            createTables = other.createTables;
            connections = other.connections;
            tokenRetention = other.tokenRetention;
            purgeInterval = other.purgeInterval;
            notifications = other.notifications;
        }

        /**
         * Sets the schema of PostgreSQL that has the tables. Default: the first schema with them in the search path of
         * the connection with which the backend is created.
         *
         * @throws IllegalArgumentException if the name is not 1 to 63 characters of a to z, 0 to 9 and _
         */
        public Builder schema(String name) {
            this.schema = check("schema", name, SCHEMA, 63);
            return this;
        }

        /**
         * Sets the prefix of the tables' names, so that one database can hold several sets of counters. Default
         * {@code counterkit_}.
         *
         * @throws IllegalArgumentException if the prefix is not 1 to 30 characters of a to z, 0 to 9 and _, or starts
         *     with {@code pg_} or {@code sqlite_}
         */
        public Builder tablePrefix(String prefix) {
            String checked = check("table prefix", prefix, PREFIX, 30);
            if (checked.startsWith("pg_") || checked.startsWith("sqlite_")) {
                throw new IllegalArgumentException("table prefix '" + prefix
                        + "': the names of system tables start with pg_ and sqlite_, so use another prefix");
            }
            this.tablePrefix = checked;
            return this;
        }

        private static String check(String what, String name, Pattern pattern, int length) {
            if (!pattern.matcher(Objects.requireNonNull(name, what)).matches()) {
                throw new IllegalArgumentException(what + " '" + name + "': use 1 to " + length
                        + " characters of a to z, 0 to 9 and _, the first one not a digit");
            }
            return name;
        }

        /**
         * Sets whether the tables are created when the backend is created, if they are missing. This requires the
         * permission to create tables. A single table that is deleted later is not restored. Default false: a migration
         * tool creates the tables from the files in {@code counterkit-sql} of this jar.
         */
        public Builder createTables(boolean create) {
            this.createTables = create;
            return this;
        }

        /**
         * Sets the maximum number of connections that the backend uses at once on PostgreSQL. Default 8; a pool should
         * have at least as many. On SQLite the backend keeps up to six: four that write one after another, and two that
         * read.
         *
         * @throws IllegalArgumentException if {@code most} is not 1 to 100
         */
        public Builder connections(int most) {
            this.connections = Limits.checkBetween("connections", most, 1, MAX_CONNECTIONS);
            return this;
        }

        /**
         * Sets how long a token is remembered, by the clock of the database. Default 24 hours.
         *
         * @throws IllegalArgumentException if it is not 1 hour to 3,650 days
         */
        public Builder tokenRetention(Duration retention) {
            this.tokenRetention = Limits.checkRetention("token retention", retention);
            return this;
        }

        /**
         * Sets how often a process that makes changes deletes expired tokens, 500 a transaction. Default 1 minute.
         *
         * @throws IllegalArgumentException if it is not 1 ms to 1 day
         */
        public Builder purgeInterval(Duration interval) {
            this.purgeInterval = Limits.checkDuration("purge interval", interval);
            return this;
        }

        /**
         * Sets whether changes notify the watches and followers of all processes on PostgreSQL, so that a total or an
         * entry arrives soon after its commit, and idle followers read rarely. Default false; ignored on SQLite, where
         * reads are cheap.
         *
         * <p>A transaction that changes totals or appends then executes {@code pg_notify} with the names of the
         * counters and sequences, without a further round trip. PostgreSQL commits such transactions one after another,
         * even those for other names and in other databases. They cannot be prepared for a two-phase commit. While a
         * counter is watched or a sequence is followed, a process uses one connection more than {@link #connections}.
         * That connection must be a session of PostgreSQL's own driver, which no pooler like PgBouncer shares between
         * transactions: a shared session would keep listening. While the connection is broken, watches and followers
         * poll.
         */
        public Builder notifications(boolean notify) {
            this.notifications = notify;
            return this;
        }

        /** Returns the options. */
        public JdbcCounterOptions build() {
            return new JdbcCounterOptions(new Builder(this));
        }
    }
}
