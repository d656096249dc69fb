package io.counterkit.jdbc.internal.sql;

import java.sql.SQLException;

/** The work of one transaction or one read. */
public interface Work<T> {
    /** Runs in one transaction. If this throws, nothing is stored. */
    T run(Session session) throws SQLException;
}
