package io.counterkit.jdbc.internal.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends statements on one connection. A parameter is a String, Long, Boolean, byte[] or null, or a list of keys for an
 * {@code IN (:keys)}; on PostgreSQL also an array of these. Not thread-safe.
 */
public interface Session {
    /** Reads one row of a result. */
    interface RowReader<T> {
        /** Returns the current row of {@code rows}. */
        T read(ResultSet rows) throws SQLException;
    }

    /** The work of one transaction or one read. */
    interface Work<T> {
        /** Runs in one transaction. If this throws, nothing is stored. */
        T run(Session session) throws SQLException;
    }

    /** Returns the rows of a query. */
    <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... parameters) throws SQLException;

    /** Returns the number of rows that a statement changed. */
    int update(String sql, @Nullable Object... parameters) throws SQLException;

    /**
     * Inserts rows into several tables, in this order, in as few round trips as the database allows. Returns, for each
     * group, the first value of each row that was inserted or updated.
     */
    List<Set<String>> insert(List<Rows> groups) throws SQLException;

    /**
     * Inserts rows into several tables, in this order, all or none.
     *
     * @throws IncompleteException if a row was not written; the transaction then writes none
     */
    void insertAll(List<Rows> groups) throws SQLException;
}
