package io.counterkit.jdbc.internal.sql;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads one row of a result. */
public interface RowReader<T> {
    /** Returns the current row of {@code rows}. */
    T read(ResultSet rows) throws SQLException;
}
