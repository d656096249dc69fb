/** Counters and sequences on PostgreSQL, or in a SQLite file, by JDBC. */
module io.counterkit.jdbc {
    requires transitive io.counterkit;
    requires transitive java.sql;
    requires static com.google.guice;

    exports io.counterkit.jdbc;
    exports io.counterkit.jdbc.guice;
}
