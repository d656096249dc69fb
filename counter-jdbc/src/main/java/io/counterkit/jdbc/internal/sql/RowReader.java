package io.counterkit.jdbc.internal.sql;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads one row of an answer. */
public interface RowReader<T> {
    /** Returns the row at which {@code rows} stands. */
    T read(ResultSet rows) throws SQLException;
}
