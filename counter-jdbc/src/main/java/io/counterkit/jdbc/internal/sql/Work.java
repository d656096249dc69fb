package io.counterkit.jdbc.internal.sql;

import java.sql.SQLException;

/** What one transaction or one read does. */
public interface Work<T> {
    /** Runs in one transaction. If this throws, nothing of it is stored. */
    T run(Session session) throws SQLException;
}
